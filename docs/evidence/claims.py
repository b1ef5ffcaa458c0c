#!/usr/bin/env python3
"""Records one observed result for each primary endpoint of the cohorts of a release.

Run it in the project's folder: claims.py SCORESHEET RELEASE_FOLDER. Each number is read from a
table that `scoresheet release build` made, and the program checks it again before it is recorded.
"""
import csv
import subprocess
import sys

PROGRAM, FOLDER = sys.argv[1], sys.argv[2]


def rows(path):
    with open(f"{FOLDER}/{path}", newline="") as file:
        return list(csv.DictReader(file))


def claim(name, cohort, endpoint, statement, figures, extra=()):
    words = [PROGRAM, "claim", "record", name, "--kind", "observed", "--cohort", cohort]
    words += ["--endpoint", str(endpoint), "--statement", statement, *extra]
    for figure in figures:
        words += ["--figure", figure]
    subprocess.run(words, check=True)


def ratings(table, subject, column="rating"):
    return [
        f"{table}/{subject}: system={row['system']}, {column}={row[column]}"
        for row in rows(f"{subject}/{table}.csv")
    ]


def bounds(cohort):
    figures = []
    for row in rows(f"{cohort}/board-anchored.csv"):
        for column in ("rating_kind", "bound"):
            figures.append(f"board-anchored/{cohort}: system={row['system']}, {column}={row[column]}")
    return figures


def rejected(cohort):
    return [
        f"reliability-csv/{cohort}: system={row['system']}, answers_rejected={row['answers_rejected']}"
        for row in rows(f"{cohort}/reliability.csv")
    ]


claim(
    "pilot-1-ratings",
    "pilot-1",
    0,
    "In a pool of eleven engines, each pair twice, ratings order them as printed; neighbors overlap.",
    ratings("board-placement", "pilot-1"),
)
claim(
    "ladder-1-ratings",
    "ladder-1-placement",
    0,
    "After forty games that the ladder drew, the engines of the era are rated as printed.",
    ratings("board-ladder", "ladder-1"),
)
for cohort, statement in (
    ("gemma-anchored-1", "As it is and held to legal moves, the model lost every game against the weakest anchor: only an upper bound is known."),
    ("gemma-pairs-1", "With legal moves listed the model lost every mini-match against the weakest anchor: only an upper bound is known."),
    ("gemma-climb-1", "Held to legal moves the model lost on both rungs of the ladder: only an upper bound is known."),
):
    claim(f"{cohort}-bounds", cohort, 0, statement, bounds(cohort))
for cohort, endpoint, statement in (
    ("gemma-anchored-1", 1, "As it is, every answer of the model was rejected; held to legal moves, none."),
    ("gemma-pairs-1", 1, "As it is, all but one answer of the model was rejected; held to legal moves, none."),
    ("gemma-pool-1", 1, "As it is, every answer of the model was rejected; held to legal moves, none."),
    ("gemma-oracle-1", 0, "Shown three good moves without order or score, the model still gave no legal answer."),
):
    extra = ["--negative"] if cohort == "gemma-oracle-1" else []
    claim(f"{cohort}-rejected", cohort, endpoint, statement, rejected(cohort), extra)
for cohort, statement in (
    ("gemma-pool-1", "Held to legal moves the model beats itself as it is, and loses to the engine."),
    ("gemma-long-1", "Against random legal moves the masked model is not told apart: both games hit the ply limit."),
):
    claim(f"{cohort}-ratings", cohort, 0, statement, ratings("board-placement", cohort))
claim(
    "gemma-long-1-plies",
    "gemma-long-1",
    1,
    "Both games went on to the limit of 150 plies.",
    [f"games-csv/gemma-long-1: cell={row['cell']}, plies={row['plies']}" for row in rows("gemma-long-1/games.csv")],
)
