"""Datasets of ours, by the keys that configurations write."""

from ._directions import LocationsDirections
from ._facts import Colours, KeyValue, NameList, Names
from ._prospective import ProspectiveMemory
from ._recall import ChapterBreak, DelayedRecall, Judged
from ._restaurant import Restaurant, RestaurantExample
from ._shopping import Shopping
from ._spies import SpyMeeting
from ._stories import Jokes, SallyAnne
from ._triggers import TriggerResponse

__all__ = [
    "ChapterBreak",
    "Colours",
    "DelayedRecall",
    "Jokes",
    "Judged",
    "KeyValue",
    "LocationsDirections",
    "NameList",
    "Names",
    "ProspectiveMemory",
    "Restaurant",
    "RestaurantExample",
    "SallyAnne",
    "Shopping",
    "SpyMeeting",
    "TriggerResponse",
]
