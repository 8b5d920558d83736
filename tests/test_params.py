"""Parameters of bots: declared, read from text, written back."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dnup_ai.errors import BotError
from dnup_ai.params import describe_params, format_params, param, read_params


@dataclass(frozen=True)
class Some:
    count: int = param(10, low=1, help="how many")
    share: float = param(0.5, low=0, high=1)
    wide: float = 1.0
    sure: bool = False
    mode: str = param("mean", choices=["mean", "best"])
    size: int = param(4, choices=[2, 4, 8])


def test_describes_names_types_defaults_and_what_is_allowed() -> None:
    assert [str(parameter) for parameter in describe_params(Some)] == [
        "count (int, 1 or more)",
        "share (float, 0 to 1)",
        "wide (float)",
        "sure (bool, true or false)",
        "mode (str, one of mean, best)",
        "size (int, one of 2, 4, 8)",
    ]
    first = describe_params(Some)[0]
    assert (first.name, first.type, first.default, first.help) == ("count", int, 10, "how many")


def test_no_text_is_the_defaults() -> None:
    assert read_params(Some, "", "some") == Some()
    assert format_params(Some()) == ""


def test_reads_every_type() -> None:
    read = read_params(Some, "mode=best,count=3,share=1e-1,wide=-2,sure=true,size=8", "some")
    assert read == Some(3, 0.1, -2.0, True, "best", 8)
    assert type(read.wide) is float


def test_writes_what_is_not_default_in_the_order_of_the_fields() -> None:
    read = read_params(Some, "sure=true,share=0.25,count=10", "some")
    assert format_params(read) == "share=0.25,sure=true"


@given(
    st.builds(
        Some,
        st.integers(1, 10**9),
        st.floats(0, 1),
        st.floats(allow_nan=False, allow_infinity=False),
        st.booleans(),
        st.sampled_from(["mean", "best"]),
        st.sampled_from([2, 4, 8]),
    )
)
def test_reading_what_was_written_gives_the_same(some: Some) -> None:
    assert read_params(Some, format_params(some), "some") == some


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("cuont=3", "unknown parameter 'cuont' (did you mean 'count'?); it takes count (int, 1 or more); share"),
        ("count", "expected key=value, got 'count'; it takes count"),
        ("count=3,", "expected key=value, got ''"),
        ("count=3,count=3", "parameter 'count' is given twice"),
        ("count=0", "parameter 'count': expected int, 1 or more, got '0'"),
        ("count=3.0", "expected int, 1 or more, got '3.0'"),
        ("count= 3", "expected int, 1 or more, got ' 3'"),
        ("count=1_0", "got '1_0'"),
        ("count=" + "9" * 5000, "expected int"),
        ("share=1.5", "expected float, 0 to 1, got '1.5'"),
        ("share=nan", "expected float, 0 to 1, got 'nan'"),
        ("wide=inf", "expected float, got 'inf'"),
        ("wide=1e999", "expected float, got '1e999'"),
        ("sure=1", "expected bool, true or false, got '1'"),
        ("mode=worst", "expected str, one of mean, best, got 'worst'"),
        ("size=3", "expected int, one of 2, 4, 8, got '3'"),
    ],
)
def test_errors_say_what_is_allowed(text: str, problem: str) -> None:
    with pytest.raises(BotError) as caught:
        read_params(Some, text, "some")
    assert str(caught.value).startswith("bot some: ")
    assert problem in str(caught.value)


def test_a_class_without_parameters_says_so() -> None:
    @dataclass(frozen=True)
    class Nothing:
        pass

    with pytest.raises(BotError, match=r"unknown parameter 'x'; it takes no parameters"):
        read_params(Nothing, "x=1", "bare")


def test_declarations_that_make_no_sense_are_named() -> None:
    @dataclass
    class Loose:
        x: int = 1

    @dataclass(frozen=True)
    class NoDefault:
        x: int

    @dataclass(frozen=True)
    class Outside:
        x: int = param(3, high=2)

    @dataclass(frozen=True)
    class AnyText:
        x: str = "free"

    @dataclass(frozen=True)
    class WrongType:
        x: int = param(True)

    @dataclass(frozen=True)
    class Listed:
        x: tuple[int, ...] = ()

    @dataclass(frozen=True)
    class Untried:
        x: int = param(3, high=4, tune=(3, 5))

    @dataclass(frozen=True)
    class Twice:
        x: float = param(3, tune=(1, 1.0))

    for params, problem in (
        (Untried, "x: the level 5 to tune over is not allowed: x (int, 4 or less)"),
        (Twice, "x: a level to tune over is there twice"),
        (Loose, "expected a frozen dataclass"),
        (int, "expected a frozen dataclass"),
        (NoDefault, "x: a parameter needs a default"),
        (Outside, "x: the default 3 is not allowed: x (int, 2 or less)"),
        (AnyText, "x: a parameter of type str needs choices"),
        (WrongType, "x: the default True is not allowed"),
        (Listed, "x: expected the type int, float, bool or str"),
    ):
        with pytest.raises(BotError) as caught:
            describe_params(params)
        assert problem in str(caught.value)


def test_a_whole_number_may_be_the_default_of_a_float() -> None:
    @dataclass(frozen=True)
    class Whole:
        x: float = param(0, low=0)

    assert describe_params(Whole)[0].default == 0.0
    assert format_params(read_params(Whole, "x=0.0", "whole")) == ""
