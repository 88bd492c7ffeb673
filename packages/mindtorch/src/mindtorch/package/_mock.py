"""What stands in archives for modules that were left out: it can be imported, not used."""

# Archives have this file as it stands, so it imports nothing.


class MockedObject:
    """Refuses whatever is done with it but asking for its attributes' names."""

    _name: str

    def __new__(cls, *args: object, **kwargs: object) -> "MockedObject":
        """Make one for an archive; programs cannot."""
        if not kwargs.get("_suppress_err"):
            raise NotImplementedError(
                f"Object '{cls._name}' was mocked out during packaging "
                f"but it is being used in '__new__'. If this error is "
                "happening during 'load_pickle', please ensure that your "
                "pickled object doesn't contain any mocked objects."
            )
        return super().__new__(cls)

    def __init__(self, name: str, _suppress_err: bool) -> None:
        self.__dict__["_name"] = name

    def __repr__(self) -> str:
        return f"MockedObject({self._name})"


def _refusing(method: str) -> object:
    """A method that says what was left out."""

    def refuse(self: MockedObject, *args: object, **kwargs: object) -> object:
        raise NotImplementedError(
            f"Object '{self._name}' was mocked out during packaging "
            f"but it is being used in {method}"
        )

    return refuse


for _method in (
    "abs add and bool bytes call ceil complex contains copy deepcopy delattr delitem dir divmod "
    "enter eq exit float floor floordiv ge getattr getitem getstate gt hash iadd iand ifloordiv "
    "ilshift imod imul index instancecheck int invert ior ipow irshift isub iter itruediv ixor le "
    "len lshift lt mod mul ne neg or pos pow radd rand rdivmod reduce reversed rlshift rmul ror "
    "round rrshift rshift rsub setattr setitem sizeof sub subclasscheck truediv trunc xor"
).split():
    setattr(MockedObject, f"__{_method}__", _refusing(f"__{_method}__"))
