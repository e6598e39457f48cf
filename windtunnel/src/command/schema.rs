//! The command `windtunnel schema`: the JSON Schemas of input files and of printed objects.

use scenarios::error::Error;

/// Names and texts of the schemas, those of printed objects first.
pub(crate) const SCHEMAS: [(&str, &str); 15] = [
    ("run", include_str!("../../schema/run.schema.json")),
    ("check", include_str!("../../schema/check.schema.json")),
    ("checks", include_str!("../../schema/checks.schema.json")),
    ("compare", include_str!("../../schema/compare.schema.json")),
    ("traffic", include_str!("../../schema/traffic.schema.json")),
    ("calibrate", include_str!("../../schema/calibrate.schema.json")),
    ("validate", include_str!("../../schema/validate.schema.json")),
    ("tune", include_str!("../../schema/tune.schema.json")),
    ("diff", include_str!("../../schema/diff.schema.json")),
    ("sweep", include_str!("../../schema/sweep.schema.json")),
    ("results", include_str!("../../schema/results.schema.json")),
    ("study", include_str!("../../../scenarios/schema/study.schema.json")),
    ("scenario", include_str!("../../../scenarios/schema/scenario.schema.json")),
    ("machine", include_str!("../../../scenarios/schema/machine.schema.json")),
    ("prices", include_str!("../../../scenarios/schema/prices.schema.json")),
];

/// Prints the schema called `name`, or the names of all.
///
/// # Errors
/// Returns an error if there is no such schema.
pub(crate) fn schema(name: Option<&str>) -> Result<u8, Error> {
    let names = SCHEMAS.iter().map(|(known, _)| *known);
    let Some(name) = name else {
        for name in names {
            println!("{name}");
        }
        return Ok(0);
    };
    let found = SCHEMAS.iter().find(|(known, _)| *known == name);
    let (_, text) = found.ok_or_else(|| Error::unknown("schema", name, names))?;
    println!("{}", text.trim_end());
    Ok(0)
}
