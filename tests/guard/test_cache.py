from groundwire.guard import Cache


def test_entries_leave_when_their_time_is_over() -> None:
    now = [0.0]
    cache = Cache[int](max_entries=10, ttl_s=5, timer=lambda: now[0])
    cache.put("a", 1)
    now[0] = 4.9
    assert cache.get("a") == 1
    now[0] = 5.1
    assert cache.get("a") is None


def test_the_least_recently_used_entry_leaves_first() -> None:
    cache = Cache[int](max_entries=2, ttl_s=5)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]


def test_an_entry_may_have_a_shorter_time_of_its_own() -> None:
    now = [0.0]
    cache = Cache[int](max_entries=10, ttl_s=10, timer=lambda: now[0])
    cache.put("short", 1, ttl_s=1)
    cache.put("long", 2)
    now[0] = 1.1
    assert cache.get("short") is None
    assert cache.get("long") == 2
