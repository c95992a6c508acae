"""Numerals in prose, and facts read again by the checker."""

import csv
import re
from pathlib import Path

import check_claims

from codebreaker.report.numbers import Query

NAMES = (
    r"MM\(\w, ?\w\)",
    r"(Knuth|Irving|Neuwirth|Kooi|Shapiro|Gür|Lai|Rényi|Tsallis|al\.)('s)?,?\s\(?(19|20)\d\d\)?",
    r"\((19|20)\d\d\)",
    r"(Table|Tables|Figure|section|codebreaker|Python)\s\d+(\.\d+)*",
)
NUMERAL = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?")


def prose_of(text):
    text = re.sub(r"<!-- from .*?<!-- end -->", "", text, flags=re.DOTALL)
    text = re.sub(r"^## (References|Sources)$.*?(?=^## |\Z)", "", text, flags=re.DOTALL | re.M)
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`]*`|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"[\w-]+\.(md|csv)\]\([^)]*\)|\]\([^)]*\)|https?://\S+", "]", text)
    for name in NAMES:
        text = re.sub(name, "", text)
    return text


def numerals_of(text):
    return [numeral.rstrip(",").replace(",", "") for numeral in NUMERAL.findall(text)]


def unexplained(text, known):
    return sorted(set(numerals_of(prose_of(text))) - set(known))


def facts_of(path):
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def numerals_of_facts(facts):
    return {numeral for fact in facts for numeral in numerals_of(fact["text"].lstrip("−"))}


def fits(fact, folder):
    if ("100 * " in fact["query"]) != ("%" in fact["text"] and "%" not in fact["value"]):
        return False
    return check_claims.is_met(fact["text"], check_claims.value_of(fact, folder))


def looked_up(source, results):
    """Return the numeral of an entry of page_facts.toml."""
    match source:
        case {"name": numeral}:
            return numeral
        case {"file": file, "query": query}:
            (numeral,) = set(str(results.value(Query(file, query))).split(" and "))
            return numeral
        case {"file": file, "says": excerpt}:
            (numeral,) = numerals_at(excerpt, results.text(file))
            return numeral


def numerals_at(phrase, text):
    pattern = re.escape(phrase).replace(re.escape("{}"), f"({NUMERAL.pattern})")
    matches = re.finditer(pattern, text)
    return [numerals_of(numeral)[0] for match in matches for numeral in match.groups()]
