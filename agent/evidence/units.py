"""Units of measure as people write them, English and Chinese: surface form → family and factor."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unit:
    """What a figure counts in.

    Figures of one `dimension` can contradict each other; only those of one `family` can agree.
    """

    family: str = ""
    dimension: str = "count"
    factor: float = 1.0


COUNT = Unit()

# dimension | family | factor | surface forms, parted by commas. A form of mixed case or one letter is case-sensitive.
_TABLE = """
length|si|1|m,metre,metres,meter,meters,米,公尺
length|si|1000|km,kilometre,kilometres,kilometer,kilometers,千米,公里
length|si|0.01|cm,centimetre,centimetres,centimeter,centimeters,厘米,公分
length|si|0.001|mm,millimetre,millimetres,millimeter,millimeters,毫米
length|si|500|里
length|foot|1|ft,foot,feet,英尺
length|inch|1|inch,inches,英寸
length|mile|1|mi,mile,miles,英里
length|nautical|1|nautical miles,nautical mile,海里
length|lightyear|1|light-years,light years,light-year,光年
area|si2|1|m²,m2,sq m,square metres,square meters,square metre,square meter,平方米,平米
area|si2|1000000|km²,km2,sq km,square kilometres,square kilometers,square kilometre,square kilometer,平方公里,平方千米
area|si2|10000|ha,hectare,hectares,公顷
area|mu|1|亩
area|acre|1|acre,acres,英亩
area|sqmile|1|square miles,square mile,sq mi,平方英里
area|sqfoot|1|square feet,square foot,sq ft,平方英尺
volume|si3|1|m³,m3,cubic metres,cubic meters,cubic metre,cubic meter,立方米
volume|si3|1000000000|km³,cubic kilometres,cubic kilometers,立方千米,立方公里
volume|si3|0.001|L,l,litre,litres,liter,liters,升,公升
volume|si3|0.000001|ml,mL,millilitres,milliliters,毫升
volume|gallon|1|gallon,gallons,加仑
mass|gram|1000|kg,kilogram,kilograms,kilo,kilos,公斤,千克
mass|gram|1|g,gram,grams,克
mass|gram|0.001|mg,milligram,milligrams,毫克
mass|gram|1000000|t,tonne,tonnes,metric tons,公吨,吨
mass|ton|1|ton,tons
mass|pound|1|lb,lbs,磅
speed|kmh|1|km/h,kph,kilometres per hour,kilometers per hour,公里/小时,公里每小时,千米每小时
speed|mph|1|mph,miles per hour,英里/小时,英里每小时
speed|mps|1|m/s,metres per second,meters per second,米/秒,米每秒
speed|knot|1|knot,knots,节
temperature|celsius|1|°C,℃,degrees Celsius,degrees celsius,degree Celsius,摄氏度
temperature|fahrenheit|1|°F,℉,degrees Fahrenheit,华氏度
temperature|kelvin|1|K,kelvin,开尔文
angle|degree|1|°,degree,degrees,度
power|watt|1|W,watt,watts,瓦
power|watt|1000|kW,kilowatt,kilowatts,千瓦
power|watt|1000000|MW,megawatt,megawatts,兆瓦
power|watt|1000000000|GW,gigawatt,gigawatts,吉瓦
energy|wh|1000|kWh,kilowatt-hours,kilowatt hours,千瓦时
energy|wh|1000000|MWh,megawatt-hours,兆瓦时
energy|wh|1000000000|GWh,gigawatt-hours,吉瓦时
energy|wh|1000000000000|TWh,terawatt-hours,太瓦时
voltage|volt|1|V,volt,volts,伏,伏特
voltage|volt|1000|kV,kilovolt,kilovolts,千伏
frequency|hz|1|Hz,hertz,赫兹
frequency|hz|1000|kHz,千赫
frequency|hz|1000000|MHz,兆赫
frequency|hz|1000000000|GHz,吉赫
data|byte|1000|KB,kB,kilobytes
data|byte|1000000|MB,megabytes
data|byte|1000000000|GB,gigabytes
data|byte|1000000000000|TB,terabytes
ratio|percent|1|%,percent,per cent,pct
ratio|points|1|percentage points,percentage point,个百分点,百分点
time|year|1|years old,year-old,years,year,yr,yrs,年,岁,周岁
time|month|1|months,month,个月
time|week|1|weeks,week,周,星期
time|second|86400|days,day,天,日
time|second|3600|hours,hour,hrs,h,小时,钟头
time|second|60|minutes,minute,min,mins,分钟
time|second|1|seconds,secs,sec,s,秒,秒钟
time|second|0.001|ms,milliseconds,毫秒
money|usd|1|US dollars,US dollar,dollars,dollar,USD,美元
money|eur|1|euros,euro,EUR,欧元
money|gbp|1|pounds sterling,GBP,英镑
money|pound|1|pounds,pound
money|cny|1|yuan,RMB,CNY,renminbi,元,人民币,元人民币
money|jpy|1|yen,JPY,日元,日圆
money|hkd|1|HKD,港元,港币
money|krw|1|won,KRW,韩元
money|inr|1|rupees,rupee,INR,卢比
money|chf|1|Swiss francs,francs,CHF,瑞士法郎,法郎
money|cent|1|cents,cent
"""
_SIGNS = {
    "US$": "usd",
    "HK$": "hkd",
    "$": "usd",
    "€": "eur",
    "£": "gbp",
    "¥": "yen or yuan",
    "￥": "yen or yuan",
    "₩": "krw",
    "₹": "inr",
}


def _units() -> dict[str, Unit]:
    rows = (line.split("|") for line in _TABLE.split("\n") if line)
    return {
        form: Unit(family, dimension, float(factor))
        for dimension, family, factor, forms in rows
        for form in forms.split(",")
    }


UNITS = _units()
SIGNS = {sign: Unit(family, "money") for sign, family in _SIGNS.items()}
_LATIN = sorted((form for form in UNITS if form.isascii() or form[0] in "m°k"), key=len, reverse=True)
_CHINESE = sorted((form for form in UNITS if form not in _LATIN), key=len, reverse=True)
# Chinese needs no word border after a unit, but 年 in 年代, 日 in 日本 and 里 in 里程 are no units.
PATTERN = (
    rf"(?:(?:{'|'.join(map(re.escape, _LATIN))})(?![A-Za-z0-9²³])"
    rf"|(?:{'|'.join(map(re.escape, _CHINESE))})(?!代|本|程|头钟))"
)
_LOOSE = re.compile(rf"(?<![A-Za-z0-9])(?:{PATTERN})", re.I)


def unit_of(form: str) -> Unit:
    """The unit of a surface form, COUNT when it is none."""
    return UNITS.get(form) or UNITS.get(form.lower(), COUNT)


def families_named(text: str) -> frozenset[Unit]:
    """Units that a column head or label names: "Height (m)" → metres."""
    return frozenset(unit_of(found.group()) for found in _LOOSE.finditer(text))


def scale_named(text: str) -> float:
    """The scale that a column head names: "(EUR million)" → 1e6, "（万人）" → 1e4; 1 for none."""
    low = text.lower()
    for words, scale in (
        (("billion", "十亿"), 1e9),
        (("亿",), 1e8),
        (("million", "百万"), 1e6),
        (("万",), 1e4),
        (("thousand", "000s"), 1e3),
    ):
        if any(re.search(rf"[(（,，][^()（）\d]*{word}", low) for word in words):
            return scale
    return 1.0
