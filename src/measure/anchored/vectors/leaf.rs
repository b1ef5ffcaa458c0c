use serde_json::value::RawValue;

use crate::measure::VectorsFault;
use crate::measure::vectors::object::{Object, each, number};

/// A figure of a file, at the end of a path.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Leaf {
    /// A number, spelled as one or as a text of one.
    Number(f64),
    /// `+inf`.
    PlusInfinity,
    /// `-inf`.
    MinusInfinity,
    /// `null`: no finite number.
    Nothing,
    /// Another text.
    Text(String),
}

/// Reads everything below a part, each with its path.
pub(crate) fn leaves(part: &RawValue) -> Result<Vec<(String, Leaf)>, VectorsFault> {
    let mut found = Vec::new();
    walk(part, "", &mut found)?;
    Ok(found)
}

fn walk(part: &RawValue, path: &str, found: &mut Vec<(String, Leaf)>) -> Result<(), VectorsFault> {
    match part.get().as_bytes().first() {
        Some(b'{') => {
            let object = Object::of_names(part).map_err(|fault| fault.inside(path))?;
            for (key, part) in object.names() {
                let path = if path.is_empty() {
                    key.to_owned()
                } else {
                    format!("{path}.{key}")
                };
                walk(part, &path, found)?;
            }
        }
        Some(b'[') => {
            let mut number = 0;
            each(part, |part| {
                walk(part, &format!("{path}[{number}]"), found)?;
                number += 1;
                Ok(())
            })?;
        }
        _ => found.push((
            path.to_owned(),
            leaf(part).map_err(|fault| fault.inside(path))?,
        )),
    }
    Ok(())
}

fn leaf(part: &RawValue) -> Result<Leaf, VectorsFault> {
    match part.get() {
        "\"+inf\"" => return Ok(Leaf::PlusInfinity),
        "\"-inf\"" => return Ok(Leaf::MinusInfinity),
        "null" => return Ok(Leaf::Nothing),
        _ => {}
    }
    match (number(part), part.get().starts_with('"')) {
        (Ok(number), _) => Ok(Leaf::Number(number)),
        (Err(_), true) => Ok(Leaf::Text(serde_json::from_str(part.get()).map_err(
            |_| VectorsFault::new("a text", "one with half a surrogate pair in it"),
        )?)),
        (Err(fault), false) => Err(fault),
    }
}
