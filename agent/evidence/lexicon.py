"""Word lists of the evidence check, English and Chinese:
what to ignore, what means the same, what excludes each other.
"""

from __future__ import annotations

import re


def words(text: str) -> list[str]:
    """The words of a list written as prose."""
    return text.split()


STOP = frozenset(
    words(
        """
    a an the this that these those it its he she they them his her their we our you your i my me us one ones and
    or of in on at to for from by with within without into onto over under between among through during about
    around against as than then so such also too very just only even still yet both each either is are was were be
    been being am has have had do does did will would can could shall should may might must there here which who
    whom whose what when where why how if while whereas although though but however because since until after
    before not no nor never never it's that's more less most least much many some any all every other another same
    own out up down off again further once per according based currently now roughly approximately nearly almost
    exactly total located situated lies lie called named known considered became become becomes made make makes
    took take takes place used using including include includes well numbered counted totalled totaled amounted
    reached measured comprised got get come came comes number numbers figure figures stood stand stands s t d ll
    ve re
    """
    )
)

# One spelling for forms that a suffix rule cannot join, and for words that say the same.
SAME = {
    form: forms.split()[0]
    for forms in (
        "build built builds building constructed construct constructs construction erected erect",
        "write wrote written writes author authored",
        "win won wins winning winner awarded award awards received receive receives granted grant gained obtained",
        "start began begin begins begun beginning starts started starting commenced commence",
        "end ended ends finished finish finishes concluded",
        "height high tall height elevation",
        "long length lengthy flow flows flowed flowing stretches stretch stretched extends extend",
        "wide width breadth",
        "deep depth",
        "weigh weighs weighed weight weighing mass heavy",
        "born birth birthplace",
        "die died dies death dead dying",
        "sell sold sells sale sales selling",
        "buy bought buys purchase purchased acquired acquire acquisition",
        "grow grew grown grows growth rise rose risen rises rising increase increased increases climbed up",
        "fall fell fallen falls decline declined declines dropped drop decrease decreased decreases shrank down",
        "found founded founder founders founding established establish establishment",
        "design designed designer designs architect",
        "discover discovered discoverer discovery found",
        "invent invented inventor invention devised",
        "lead led leads leader heads headed",
        "hold held holds holding",
        "run ran runs running operated operate operates operator",
        "speak spoke spoken speaks",
        "open opened opens opening inaugurated inauguration",
        "close closed closes closing closure shut",
        "cost costs price priced",
        "live lived lives inhabitants residents population populated",
        "employ employs employed employees employee staff workers",
        "big large huge sized size",
        "car cars automobile automobiles",
        "fast speed quick",
        "teach taught teaches teacher",
        "produce produced produces production output",
        "cover covers covered covering area",
        "sing sang sung sings singer singers",
        "choose chose chosen elected elect election",
        "carry carries carried carrying transports transport transported",
        "name named naming names",
        "see saw seen visible visitors visited visit visits",
        "release released releases launched launch launches",
        "show showed shown shows",
        "give gave given gives",
        "feed fed feeds",
        "keep kept keeps",
    )
    for form in forms.split()
}

# Members of one line exclude each other: one in the claim where the page has another is a contradiction.
RIVALS: tuple[frozenset[str], ...] = tuple(
    frozenset(line.split())
    for line in (
        "north south east west",
        "northern southern eastern western",
        "northeast northwest southeast southwest",
        "first last",
        "before after",
        "above below",
        "largest smallest",
        "bigger smaller",
        "highest lowest",
        "higher lower",
        "tallest shortest",
        "longest shortest",
        "oldest youngest newest",
        "older younger",
        "deepest shallowest",
        "fastest slowest",
        "faster slower",
        "richest poorest",
        "hottest coldest",
        "heaviest lightest",
        "heavier lighter",
        "open opens opened closed closes shut",
        "win lose",
        "won lost",
        "import export",
        "imports exports",
        "left right",
        "hot cold",
        "male female",
        "men women",
        "husband wife",
        "father mother",
        "son daughter",
        "brother sister",
        "accept reject",
        "accepted rejected refused",
        "approved rejected",
        "allowed banned forbidden prohibited",
        "profit loss",
        "public private",
        "indoor outdoor",
        "day night",
        "spring summer autumn winter",
        "always never",
        "majority minority",
        "died survived",
        "killed survived",
        "permanent temporary",
        "legal illegal",
        "safe unsafe",
        "free paid",
        "upstream downstream",
        "inside outside",
        "steel wood stone brick iron concrete copper bronze glass granite marble wooden aluminium plastic timber",
        "gold silver bronze platinum",
        "red blue green yellow black white brown orange purple pink grey gray",
        "morning afternoon evening",
        "minimum maximum",
        "primary secondary",
        "annual monthly weekly daily hourly",
        "annually monthly weekly daily hourly",
        "monday tuesday wednesday thursday friday saturday sunday",
        "physics chemistry medicine literature peace economics",
        "daily weekly monthly yearly",
    )
)
RIVALS_ZH: tuple[tuple[str, ...], ...] = tuple(
    tuple(line.split())
    for line in (
        "增长 增加 上升 上涨 提高|下降 减少 下跌 下滑 降低".replace("|", " "),
        "最大 最小",
        "最高 最低",
        "最长 最短",
        "最早 最晚",
        "最古老 最年轻",
        "最快 最慢",
        "第一 最后",
        "之前 之后",
        "以上 以下",
        "高于 低于",
        "多于 少于",
        "早于 晚于",
        "开放 关闭",
        "进口 出口",
        "批准 否决",
        "允许 禁止",
        "盈利 亏损",
        "公立 私立",
        "收费 免费",
        "左岸 右岸",
        "上游 中游 下游",
        "东部 西部 南部 北部 中部",
        "东北 西北 东南 西南",
        "东侧 西侧 南侧 北侧",
        "北岸 南岸 东岸 西岸",
        "以东 以西 以南 以北",
        "木材 钢材 石材 混凝土",
        "木结构 钢结构 石结构 砖结构",
        "木制 石制 铁制 铜制",
        "春季 夏季 秋季 冬季",
        "物理学奖 化学奖 文学奖 和平奖 生理学或医学奖 经济学奖",
        "白色 黑色 红色 绿色 蓝色 黄色",
        "金牌 银牌 铜牌",
        "白天 夜间",
        "每日 每周 每月 每年",
        "上半年 下半年",
        "赢得 输掉",
        "男性 女性",
        "参加 缺席",
        "左手 右手",
        "左侧 右侧",
        "左眼 右眼",
        "唐代 宋代 元代 明代 清代 汉代 秦代 隋代",
        "唐朝 宋朝 元朝 明朝 清朝 汉朝 秦朝 隋朝",
        "金奖 银奖 铜奖",
        "雄性 雌性",
        "向东 向西 向南 向北",
        "朝东 朝西 朝南 朝北",
        "净利润 净亏损",
        "父亲 母亲",
    )
)
# Lines of opposites whose members on the same side say the same thing.
TOGETHER = (
    frozenset(words("open opens opened")),
    frozenset(words("closed closes shut")),
    frozenset(["increase", "rise", "rose", "grew", "grow"]),
    frozenset(["decrease", "fall", "fell", "decline", "drop", "shrank"]),
    frozenset(["增长", "增加", "上升", "上涨", "提高"]),
    frozenset(["下降", "减少", "下跌", "下滑", "降低"]),
    frozenset(["rejected", "refused", "banned", "forbidden", "prohibited"]),
    frozenset(["wood", "wooden", "timber"]),
    frozenset(["grey", "gray"]),
    frozenset(["youngest", "newest"]),
)

UP = re.compile(
    r"\b(?:rose|ris(?:e|es|en|ing)|gr[eo]w(?:s|n|ing)?|increas\w+|climb\w*|up (?=from|by|\d))"
    r"|增长|增加|上升|上涨|提高|升至|增至",
    re.I,
)
DOWN = re.compile(
    r"\b(?:fell|fall(?:s|en|ing)?|declin\w+|drop(?:s|ped)?|decreas\w+|shr[aiu]nk\w*|down (?=from|by|\d))"
    r"|下降|减少|下跌|下滑|降低|降至|减至",
    re.I,
)
# A clause that counts part of what the clause before it counts.
OF_WHICH = re.compile(r"\s*(?:of (?:which|whom|them|these)|including|其中)", re.I)
NEGATION = re.compile(
    r"\b(?:not(?! only\b)|no(?! later| fewer| less| more| longer than)|never|none|neither|nor|cannot|without|nobody"
    r"|den(?:y|ies|ied)|refut\w+|debunk\w+|rejects?|rejected|refus\w+|myth|false|untrue|incorrect"
    r"|wrong(?:ly)?|fail(?:s|ed) to|cancel\w*|withdrew|abandon\w*|lacks?)\b"
    r"|n['’]t\b|不(?![仅同断久过少足锈等妨但])|未(?!来)|没(?![收落])|并非|绝非|而非|无(?![线论数锡疑])|否认"
    r"|辟谣|谣言|误传|错误|驳回|拒绝|取消|撤销|放弃|缺席",
    re.I,
)
# What is planned, forecast or open is not a fact.
OPEN = re.compile(
    r"\b(?:plan(?:s|ned)?(?! by)|planning|expect(?:s|ed)?|will|would|aims?|propos(?:e|es|ed|al)|forecasts?"
    r"|may(?! \d|\s+(?:19|20)\d\d)|might|could"
    r"|scheduled|targets?|intends?|hopes?|project(?:s|ed|ions?)(?= to\b| at\b| that\b)|predict(?:s|ed)"
    r"|whether|unknown|unclear|uncertain|disputed|debated|unconfirmed"
    r"|rumou?r(?:s|ed)?|suspect(?:s|ed)?|some (?:say|claim|think)|believ(?:e|es|ed)|thought to"
    r"|not (?:been |yet )+confirmed"
    r"|claim(?:s|ed)? that|suggest(?:s|ed)? that|allegedly|reportedly|speculat\w+|hypothes\w+|possibly"
    r"|perhaps|probably|likely|if|question)\b"
    r"|计划|预计|拟|将(?!军|领|士|近|其|它|他|[^，。]{0,8}[为成]?(?:改名|更名))|有望|可能|或许|也许|目标"
    r"|预测|规划|尚不清楚|尚未|未知|争议|假说|据传|传闻|是否|疑似|怀疑|有人称|据说|未获证实|未证实|推测"
    r"|据称|如果|待定",
    re.I,
)
OPEN_BACK = re.compile(
    r"\b(?:unknown|unclear|uncertain|disputed|debated|unconfirmed|not (?:been |yet )+(?:confirmed|proven))\b"
    r"|尚不清楚|未知|争议|未获证实|未证实|未经证实|存疑|不详|待定|尚无定论|没有定论",
    re.I,
)
OPEN_CASE = re.compile(r"\bMay\b")  # the month; OPEN ignores case

SUPERLATIVE = re.compile(
    r"\b(?!(?:interest|forest|request|west|east|guest|harvest|invest|protest|contest|test|rest|nest"
    r"|budapest|bucharest|northwest|southwest|southeast"
    r"|northeast|arrest|conquest|modest|honest|chest|priest|suggest|digest|latest|most of|best known"
    r"|first (?:floor|name|half|quarter|lady))\b)"
    r"(?:[a-z]{2,}(?:est)|most|(?:than )?any other|all others?|best|worst|only|unique|unrivall?ed"
    r"|unparall?eled|unprecedented|record-breaking)\b"
    r"|最(?!后|近|终|新|初|多可)|唯一|比任何|其他任何|首屈一指|独一无二|前所未有|世界第一|全国第一|冠绝",
    re.I,
)
CAUSE = re.compile(
    r"\b(?:because|due to|owing to|thanks to|caused by|as a result of|in order to|in response to|driven by"
    r"|resulting from|so that|therefore|led to|leading to)\b"
    r"|因为|由于|因此|从而|导致|得益于|归功于|为了|以便|缘于|起因",
    re.I,
)
SUM = re.compile(
    r"\b(?:total(?:l?ing|s)?|together|combined|altogether|in all|sum|difference|gap|average|twice|double"
    r"|triple|half as|times as"
    r"|(?:more|fewer|less|taller|higher|longer|older|younger|larger|smaller|heavier|wider|deeper|later"
    r"|earlier) than)\b"
    r"|合计|总计|总共|一共|共计|加起来|之和|相差|差距|平均|两倍|一半|比[^，。；]{1,20}(?:多|少|高|低|长|短"
    r"|早|晚|大|小|重|轻)",
    re.I,
)

ABOUT = re.compile(
    r"(?:about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|ca?\.|~|约|大约|约为|近|将近"
    r"|大概|接近|左右)\s*$",
    re.I,
)
ABOUT_AFTER = re.compile(r"\s*(?:左右|上下|or so\b)", re.I)
MORE = re.compile(
    r"(?:more than|over|at least|above|exceed(?:s|ed|ing)?|upwards of|no fewer than|no less than|>|≥|超过"
    r"|逾|多于|至少|不少于|高于|突破|超)\s*$",
    re.I,
)
MORE_AFTER = re.compile(r"\s*(?:or more\b|以上|多(?=[人个座年名米吨公万亿]))", re.I)
LESS = re.compile(
    r"(?:less than|fewer than|under|below|at most|up to|no more than|<|≤|少于|不到|不足|低于|至多|不超过)\s*$", re.I
)

NOT_FOUND = re.compile(
    r"^(?:(?:sorry|unfortunately|however|but|抱歉|很抱歉|对不起|但是?|不过)[,，.。!]?\s*)*"
    r"(?:not found|no (?:answer|information|data|result|evidence|mention|details?|page|source)s?\b"
    r"|(?:i|we) (?:could|can|did|do|was|were|am|are)(?: ?not|n['’]t| unable)\b|(?:i|we) (?:have not|haven['’]t) found"
    r"|(?:it|that|this|the answer|the information|the figure|the date) (?:is|was|could|can)(?: not|n['’]t"
    r"| ?not) (?:be )?(?:found|known|given|stated|mentioned|available|determined|clear)"
    r"|(?:the|these|those|none of the|neither|any of the)? ?(?:pages?|sources?|text|articles?"
    r"|search results?|results?|documents?|information|passages?|websites?)"
    r"[^.]{0,60}?(?:do(?:es)?|did|could|can|is|are|was|were)?(?: ?not|n['’]t| no) ?(?:be )?(?:say|mention"
    r"|state|contain|provide|give|tell|include|specif|show|list|found|available|answer|discuss|cover|report)"
    r"|none of the (?:pages|sources|results)|unable to|cannot (?:be )?(?:find|found|answer|determine|verif)"
    r"|未找到|没有找到|没找到|找不到|未能找到|无法找到|未查到|没有查到|查无|未提及|没有提到|没有提及|未提到"
    r"|无相关|没有相关|暂无|不知道|无法确定|无法回答|无法得知"
    r"|(?:我|我们)(?:没有|没能|未能|无法|不能)(?:找到|查到|回答|确认|得知)"
    r"|[^，。；]{0,12}(?:网页|页面|来源|资料|文章|文中|搜索结果|文本)[^，。；]{0,14}?(?:没有|未|并未|均未"
    r"|无)(?:有)?(?:提到|提及|说明|给出|提供|包含|找到|记载|相关|介绍|写明|列出))",
    re.I,
)
COURTESY = re.compile(
    r"^(?:i hope\b|hope this|let me know|feel free|please (?:note|let|check|see)|here (?:is|are) (?:the|a"
    r"|what|my)|based on (?:the|my) (?:pages?|sources?|search|results?|information)[^.]{0,40}[,:]?$"
    r"|in (?:summary|conclusion|short)[,.:]?$|to (?:sum up|summari[sz]e)[,.:]?$|you (?:asked|wanted)"
    r"|the question (?:is|asks|was)|your question|(?:sure|certainly|of course|ok|okay|thanks?|thank you)\b[^.]{0,30}$"
    r"|(?:this|it|that) (?:may|might|could) (?:vary|change|be|not be)\b[^\d]{0,40}$|sources?:?$"
    r"|references?:?$|note:?$|answer:?$"
    r"|希望(?:对|以上|这)|如有|如果您|请注意|请(?:参考|查看)|以下是|综上|总之[，,。]?$|总的来说[，,。]?$"
    r"|根据(?:以上|上述|网页|页面|搜索结果|资料)[^，。]{0,10}[，,:：]?$|您(?:问|想)|您的问题|问题是|好的"
    r"|当然|来源[:：]?$|参考(?:资料|来源)?[:：]?$|答案?[:：]?$)",
    re.I,
)
YES_NO = re.compile(r"^(?:yes|no|true|false|correct|是|是的|不是|否|对|不对|正确|没错)[.!。！,，]?$", re.I)

# Function characters: they part Chinese words and carry no content.
FUNCTION_ZH = frozenset(
    "的了在是和与及或于由为以被把将对从到也都就而且并其该这那此之所有个中上下等着过向至自则又还但很更最约共已曾即因使让给它他她们位名座年月日时者始"
)

# Chinese words that say the same as far as a claim goes. Order: longest first where one holds the other.
SAME_ZH = tuple(
    tuple(line.split())
    for line in (
        "建成 竣工 落成 完工",
        "修建 兴建 建造 建设 营建 建于 始建",
        "位于 坐落 地处",
        "通车 开通 启用",
        "开业 开放 开张",
        "成立 创立 创建 创办 建立 设立",
        "发现 发现者",
        "发明 发明者",
        "设计 设计师 设计者",
        "出生 生于 诞生",
        "去世 逝世 病逝 死于 卒于",
        "人口 居民 常住",
        "员工 雇员 职工",
        "增长 增加 上升 上涨 提高",
        "下降 减少 下跌 下滑 降低",
        "发布 推出 公布 发表",
        "高度 高达 海拔 身高 全高",
        "长度 全长 总长 长达 长约",
        "面积 占地",
        "宽度 宽达",
        "重量 重达 重约",
        "首都 首府",
        "获得 荣获 赢得",
        "出版 发行",
        "游客 访客 参观者",
        "销量 销售 售出 卖出 出货",
        "生产 制造",
        "担任 出任 任职",
        "拥有 共有 具有 设有",
        "负责 主持",
        "开始 起初 始于",
        "结束 终止",
        "时间 时候",
    )
)
SOFT_ZH = frozenset(
    words(
        """
    位于 坐落 地处 称为 成为 属于 达到 超过 左右 大约 共有 总共 拥有 具有 包括 进行 通过 根据
    作为 目前 现在 以及 并且 同时 其中 之一 一座 一个 一位 一名 一条 当时 这座 该座 可以 能够
    需要 正式 主要 分别 总计 合计 就是 也是 还是 因此 由于 因为 年份 当年 该年 来自 出自 影片
    该片 本片 电影 全市 全县 全省 该市 该县 高度 长度 面积 数量 总数 总量 时间 地点 名字 名称
    叫做 叫作 建成 竣工 落成
    """
    )
)
STARTERS = frozenset(
    words(
        """
    the a an this that these those it its he she they we in on at by from for after before during since until when
    while although though as if both each some many most all several two three four five six seven eight nine ten
    its their his her our there here according construction work today currently now later then also however but
    and or so yes no not about around over under between among with without within additionally moreover
    furthermore finally first second third one another other such only even still because what who where why how
    which whose today's once built located founded opened established born yet more less total annual sales
    revenue profit output exports imports production scientists researchers people visitors residents workers
    engineers teachers children students critics officials users members nearly roughly approximately almost
    unlike like despite due thanks together population water electricity trains ships passengers admission entry
    tickets
    """
    )
)
SURNAMES_ZH = (
    "王李张刘陈杨赵黄周吴徐孙胡朱林何郭马罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘"
    "杜戴夏钟汪田任姜范方石姚谭廖邹熊陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)
# Sentence openings that name nothing new; IT alone points back at the sentence before.
PRONOUN = re.compile(
    r"\s*[\"“(]?(?:(?i:it|its|he|his|she|her|they|their|this|that|these|the|both|there|at|in|on|by|with"
    r"|since|today|work|construction)\b(?! [A-Z])|[它他她其该此这本全总])"
)
IT = re.compile(r"\s*[\"“(]?(?:(?i:it|its|he|his|she|her|they|their|this|that|these)\b(?! [A-Z])|[它他她其该此这])")
# A denial that points back: "experts denied this claim".
DENIES_BACK = re.compile(
    r"(?:denied|denies|deny|refuted?|reject(?:s|ed)?|disputed?|debunked) (?:this|that|the|these) (?:claim"
    r"|idea|report|rumou?r|story|view|theory)s?"
    r"|(?:否认|驳斥|反驳|辟谣)了?[这此该]|(?:这|该|此)(?:种|一)?(?:说法|传言|消息|谣言)(?:不实|不属实"
    r"|是错误的|被否认|没有根据|并无根据)|并不属实|不属实|(?:is|was|are) (?:false|untrue|a myth|not true)"
)
EXCEPT = re.compile(
    r"\b(?:except(?: for)?|other than|apart from|excluding|with the exception of|but not)\b"
    r"|除(?!了?[^，。]{0,12}(?:还|也))",
    re.I,
)
# Verbs of permission take their subject into the reach of a "not": "X is not allowed".
PERMISSION = re.compile(
    r"\s*(?:yet |longer )?(?:permit|allow|support|availab|possib|includ|approv|exist|accept|provid|offer"
    r"|open|used|required|needed)\w*",
    re.I,
)
