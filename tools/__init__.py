"""The hands of Scout: every tool there is, written by hand, no discovery."""

from agent.spec import Registry
from tools.answer import ANSWER
from tools.fragment import READ_FRAGMENT
from tools.scrape import SCRAPE
from tools.search import SEARCH

TOOLS: Registry = {tool.name: tool for tool in (SEARCH, SCRAPE, READ_FRAGMENT, ANSWER)}
