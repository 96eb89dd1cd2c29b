"""Forms of English verbs that no rule makes: of each the plain one, the past, the participle."""

_FORMS = """
arise arose arisen|become became|begin began begun|bend bent|bind bound|bite bit bitten|
bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|
buy bought|catch caught|choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|
draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|
feed fed|feel felt|fight fought|find found|flee fled|fly flew flown|forget forgot forgotten|
forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone|
grind ground|grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|
kneel knelt|know knew known|lay laid|lead led|lean leant|leap leapt|learn learnt|leave left|
lend lent|lie lain|light lit|lose lost|make made|mean meant|meet met|pay paid|ride rode ridden|
ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|
sew sewn|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|
sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|spell spelt|
spend spent|spin spun|spring sprang sprung|stand stood|steal stole stolen|stick stuck|
strike struck|strive strove striven|swear swore sworn|sweep swept|swim swam swum|swing swung|
take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown|
understand understood|wake woke woken|wear wore worn|weave wove woven|weep wept|win won|
write wrote written
"""
VERBS: tuple[str, ...] = tuple(one.strip() for one in _FORMS.split("|"))
"""The forms of each verb with blanks between."""
PAST = frozenset(one for forms in VERBS for one in forms.split()[1:]) - {"come", "run", "become"}
"""Forms that tell of what was, by themselves or behind "have"."""
