from schemas import *
