"""Chance can be played again, and checked by anyone who is told the seed."""

import hashlib
import hmac
import random
from collections import Counter
from itertools import permutations

import pytest

from strifebarge.rules import Chance
from strifebarge.rules.chance import Draw, commitment, witnessed


def blocks(seed, stream=""):
    """The documented derivation, written down a second time."""
    number = 0
    while True:
        number += 1
        message = f"{stream}:{number}".encode()
        yield int(hmac.new(seed.encode(), message, hashlib.sha256).hexdigest(), 16)


def below(n, numbers):
    return next(block for block in numbers if block < 2**256 // n * n) % n


def is_uniform(counted, kinds, draws):
    """Chi-square: no further from even than happens once in a million."""
    expected = draws / kinds
    chi = sum((counted[kind] - expected) ** 2 / expected for kind in counted) + expected * (
        kinds - len(counted)
    )
    return chi < kinds - 1 + 5 * (2 * (kinds - 1)) ** 0.5 + 10


def test_each_number_is_the_documented_one():
    chance, numbers = Chance("a seed"), blocks("a seed")
    assert [chance.below(n) for n in range(1, 200)] == [below(n, numbers) for n in range(1, 200)]


def test_each_stream_is_the_documented_one():
    dice, numbers = Chance("a seed").stream("deploy 3"), blocks("a seed", "deploy 3")
    assert [dice.below(6) for _ in range(50)] == [below(6, numbers) for _ in range(50)]


def test_the_numbers_never_change():
    chance = Chance("Trafalgar")
    assert [chance.below(100) for _ in range(8)] == [0, 56, 95, 12, 82, 11, 21, 72]
    assert "".join(chance.shuffled("abcdef")) == "fbaedc"


def test_a_shuffle_is_fisher_and_yates_from_the_end():
    order, numbers = list(range(52)), blocks("seed")
    for last in range(51, 0, -1):
        pick = below(last + 1, numbers)
        order[last], order[pick] = order[pick], order[last]
    assert Chance("seed").shuffled(range(52)) == order


def test_blocks_too_high_to_be_fair_are_passed_over():
    n = 2**255 + 1  # half of all blocks are
    numbers = blocks("seed")
    chance = Chance("seed")
    assert [chance.below(n) for _ in range(20)] == [below(n, numbers) for _ in range(20)]
    assert chance.drawn[""] > 25


def test_streams_do_not_touch_each_other():
    alone = Chance("seed").stream("b").below(1000)
    chance = Chance("seed")
    chance.stream("a").shuffled(range(100))
    chance.below(10)
    assert chance.stream("b").below(1000) == alone


def test_a_stream_goes_on_where_it_was():
    chance, again = Chance("seed"), Chance("seed").stream("a")
    assert [chance.stream("a").below(1000) for _ in range(5)] == [again.below(1000) for _ in range(5)]


def test_what_was_drawn_is_counted_and_can_be_gone_on_with():
    chance = Chance("seed")
    chance.shuffled(range(10))
    chance.stream("a").die()
    resumed = Chance("seed", dict(chance.drawn))
    assert chance.drawn == {"": 9, "a": 1}
    assert [resumed.below(99), resumed.stream("a").below(99)] == [
        chance.below(99),
        chance.stream("a").below(99),
    ]


def test_nothing_depends_on_the_random_module_nor_changes_it():
    random.seed(1)
    state = random.getstate()
    first = Chance("seed").shuffled(range(30))
    assert random.getstate() == state
    random.seed(2)
    assert Chance("seed").shuffled(range(30)) == first


def test_every_number_is_as_likely_as_another():
    chance = Chance("fair")
    for n in (2, 3, 6, 10, 52):
        draws = 200 * n
        assert is_uniform(Counter(chance.below(n) for _ in range(draws)), n, draws)


def test_every_order_is_as_likely_as_another():
    chance = Chance("fair")
    orders = Counter("".join(chance.shuffled("abcd")) for _ in range(4800))
    assert set(orders) == {"".join(order) for order in permutations("abcd")}
    assert is_uniform(orders, 24, 4800)


def test_every_choice_and_sample_is_as_likely_as_another():
    chance = Chance("fair")
    assert is_uniform(Counter(chance.choice("abcde") for _ in range(1000)), 5, 1000)
    pairs = Counter("".join(sorted(chance.sample("abcd", 2))) for _ in range(1200))
    assert is_uniform(pairs, 6, 1200)


def test_the_test_of_likelihood_can_fail():
    assert not is_uniform(Counter({1: 260, 2: 170, 3: 170}), 3, 600)
    assert not is_uniform(Counter({1: 300, 2: 300}), 3, 600)


def test_a_die_has_its_sides():
    chance = Chance("seed")
    assert {chance.die() for _ in range(200)} == {1, 2, 3, 4, 5, 6}
    assert {chance.die(2) for _ in range(50)} == {1, 2}


def test_a_sample_has_no_thing_twice_and_no_more_than_there_are():
    chance = Chance("seed")
    assert sorted(chance.sample(range(5), 9)) == [0, 1, 2, 3, 4]
    assert len(set(chance.sample(range(50), 20))) == 20


def test_shuffling_leaves_what_was_given_alone():
    things = [1, 2, 3, 4, 5]
    Chance("seed").shuffled(things)
    assert things == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("n", [0, -1, 2**256 + 1])
def test_there_must_be_something_to_choose_from(n):
    with pytest.raises(ValueError, match="something to choose from"):
        Chance("seed").below(n)


def test_one_of_one_is_that_one():
    assert Chance("seed").choice(["it"]) == "it"
    assert Chance("seed").below(2**256) == next(blocks("seed"))


def test_the_commitment_is_the_hash_of_the_seed():
    assert commitment("a seed") == hashlib.sha256(b"a seed").hexdigest()


# -- witnessed ---------------------------------------------------------------------


def test_a_witness_is_told_of_every_draw_by_the_block_that_gave_it():
    chance, half = Chance("a seed"), 2**255 + 1  # nearly every second block is passed over
    with witnessed() as draws:
        drawn = [chance.below(half), chance.stream("x").below(6), chance.below(half)]
    numbers = [draw.number for draw in draws]
    assert [draw.value for draw in draws] == drawn
    assert [(draw.stream, draw.below) for draw in draws] == [("", half), ("x", 6), ("", half)]
    for draw in draws:
        block = next(block for at, block in enumerate(blocks("a seed", draw.stream), 1) if at == draw.number)
        assert block % draw.below == draw.value
    assert numbers[1] == 1
    assert chance.drawn == {"": numbers[2], "x": 1}


def test_a_witness_hears_only_what_is_drawn_while_they_are_there():
    chance = Chance("a seed")
    chance.below(6)
    with witnessed() as outer:
        chance.below(6)
        with witnessed() as inner:
            third = chance.below(6)
        chance.below(6)
    chance.below(6)
    assert inner == [Draw("", 3, 6, third)]
    assert [draw.number for draw in outer] == [2, 4]
