"""English words that say how other words belong together and nothing of what a text is about."""

_WORDS = """
a about after again all also am an and any are aren as at be because been before being both but by
can could d did didn do does doesn doing don down each for from further had has hasn have haven
having he her here hers him his how i if in into is isn it its itself just ll m me might more most
my no nor not now of off on once only or other our ours out over own re s same shall she should so
some such t than that the their theirs them then there these they this those through to too under
until up us ve very was wasn we were what when where which while who whom whose why will with won
would wouldn you your yours
"""
FUNCTION_WORDS = frozenset(_WORDS.split())
