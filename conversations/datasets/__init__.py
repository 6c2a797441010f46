"""The datasets of evalmark."""

from evalmark.conversations.datasets.directions import LocationsDirections
from evalmark.conversations.datasets.facts import Colours, KeyValue, NameList, Names
from evalmark.conversations.datasets.prospective import ProspectiveMemory
from evalmark.conversations.datasets.recall import ChapterBreak, DelayedRecall, Judged
from evalmark.conversations.datasets.restaurant import Restaurant, RestaurantExample
from evalmark.conversations.datasets.shopping import Shopping
from evalmark.conversations.datasets.spies import SpyMeeting
from evalmark.conversations.datasets.stories import Jokes, SallyAnne
from evalmark.conversations.datasets.triggers import TriggerResponse

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
