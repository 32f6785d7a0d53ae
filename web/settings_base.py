"""What sections of the settings are made of."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator


def setting(default: object, meaning: str, unit: str = "", **bounds: Any) -> Any:  # noqa: ANN401 - as `Field`
    """Return a field that tells what it means, its unit, default and bounds."""
    return Field(default, description=meaning, json_schema_extra={"unit": unit}, **bounds)


class Section(BaseModel):
    """A section of the settings; what it does not know is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _true_is_no_number(cls, value: object, info: ValidationInfo) -> object:
        kind = cls.model_fields[info.field_name or ""].annotation
        if isinstance(value, bool) and kind in {int, float}:
            raise ValueError("a number")
        return value
