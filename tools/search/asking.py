"""Words that ask and words that only join: a page that answers need not hold them.

Lists and patterns, nothing else. The patterns are compiled when first used: few runs have a Korean question.
"""

from __future__ import annotations

ENGLISH = (
    "a about according across actually after again all also although always am among an and another any anyone "
    "anything are aren't around as at away be became because become been before being between both but by call "
    "called came can can't come cost costs could describe did didn't do does doesn't doing done don't during each "
    "either else ever every everything exactly explain few find for from gave get give given gives go got had "
    "happen happened has have having he her here hers him his hold holds how however how's i if in into is isn't it "
    "its itself it's just know known let like list look made make makes many may me mean means measure measures "
    "might more most much must my name need never no nor not now of off often on once one only or other our out "
    "over own please put s same search shall she should show since so some somebody someone something state such t "
    "take tell than that that's the their them then there there's these they thing this those though through thus "
    "to together too under until up upon us use used using very via was wasn't we weigh weighs were weren't what "
    "what's when when's where where's whether which while who whom whose who's why will with within without would "
    "yes yet you your"
)
# "how tall", "what year": these ask, and a page that answers need not hold them.
ASKING = (
    r"(?i)\bhow\s+(?:big|cold|deep|far|fast|heavy|high|hot|large|long|old|small|tall|thick|wide)\b"
    r"|\b(?:what|which|in what|in which)\s+(?:date|day|kind|month|number|sort|type|year)s?(?:\s+of)?\b"
    r"|\bhow\s+(?:many|much|often)\b"
)
# Longest first. Single characters only where they seldom stand inside a word, with the words that they do stand in.
CHINESE = (
    "请问|请告诉我|告诉我|请介绍|介绍一下|你知道|叫什么名字|叫什么|叫什麼|名字是|为什么|為什麼|什么时候|什麼時候|什么地方|什麼地方|什么|什麼|甚么"
    "|哪一?[年天月日个個位种種家国國座条條里裡儿些]|哪|谁|誰|怎么样|怎麼樣|怎么|怎麼|怎样|怎樣|如何|何时|何時|何地|何处|何人"
    "|有没有|有沒有|有?多少[万萬亿億千百]?[个個颗顆条條座位次种種米元天台岁歲吨年层層]?(?:人(?!口))?|是否|是不是|能不能"
    "|有?多(?:大|高|长|長|久|远|遠|深|重|宽|寬|快)|一共|总共|總共|有?[几幾](?!何|乎|内亚)[个個颗顆条條座位年次种種月天]?"
    "|叫做|称为|稱為|属于|屬於|关于|關於|[上里中内裡內]?(?<!目)的(?!士|确|確)|(?<!除|为)了(?!解)|(?<![但于還还可])是|[吗嗎呢吧？]|有哪"
    r"|(?<![自理缘])由(?!于|於|来|來)|(?<![现現存正所实實潜内外])在(?!线|線|职|職)|(?<![由对對等大小至终終])[于於](?!是)|(?<=\d)[年月日版]"
)
JAPANESE_UNIT = r"何[\u30a0-\u30ff]+"  # "how many metres"
JAPANESE = "何 誰 幾 何時 何処 何年 何人 何個 何故"
KOREAN = r"무엇|무슨|누구|누가|언제|어디|얼마|몇|어떤|어떻게|어느|왜|입니까|인가요|있습니까|있나요|합니까"
RUSSIAN = "что кто где когда как какой какая какие какое сколько почему зачем и в на с у о по за из для это"
JOINING = frozenset(("of", "the", "de", "du", "la", "van", "von", "der", "di", "da"))  # inside names
