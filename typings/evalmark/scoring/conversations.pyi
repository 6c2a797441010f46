from scoring.conversations import *
