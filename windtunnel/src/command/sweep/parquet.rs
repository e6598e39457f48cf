//! Tables in the format Parquet (the Apache specification 2.x): a column of one type for each name, compressed
//! with Snappy, in groups of rows.

use std::sync::Arc;

use parquet::{
    basic::{Compression, LogicalType, Repetition, Type as Physical},
    data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type},
    errors::Result,
    file::{
        properties::WriterProperties,
        writer::{SerializedColumnWriter, SerializedFileWriter},
    },
    schema::types::Type,
};

use super::columns::{Column, Values};

/// Most rows of a group: readers hold one group in memory.
const GROUP: usize = 1 << 20;

/// Returns the file of a table. The same columns give the same bytes.
///
/// # Panics
/// Panics if two columns have the same name.
pub(super) fn table(columns: &[Column]) -> Vec<u8> {
    written(columns).expect("columns of equal length and different names fit together")
}

fn written(columns: &[Column]) -> Result<Vec<u8>> {
    let fields = columns.iter().map(|column| field(&column.name, &column.values).map(Arc::new));
    let schema = Type::group_type_builder("results")
        .with_fields(fields.collect::<Result<Vec<_>>>()?)
        .build()?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, Arc::new(schema), Arc::new(properties))?;
    let rows = columns.first().map_or(0, |column| column.values.len());
    for from in (0..rows).step_by(GROUP) {
        let mut group = writer.next_row_group()?;
        for Column { values, .. } in columns {
            let column = group.next_column()?.expect("the schema has as many columns");
            put(column, values, from, (from + GROUP).min(rows))?;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(bytes)
}

fn field(name: &str, values: &Values) -> Result<Type> {
    let whole = |is_signed| Some(LogicalType::integer(64, is_signed));
    let (physical, logical) = match values {
        Values::Unsigned(_) => (Physical::INT64, whole(false)),
        Values::Integer(_) => (Physical::INT64, whole(true)),
        Values::Float(_) => (Physical::DOUBLE, None),
        Values::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
}

/// Writes some rows of a column.
fn put(column: SerializedColumnWriter<'_>, values: &Values, from: usize, to: usize) -> Result<()> {
    match values {
        // The type says that the bits are those of an unsigned number.
        Values::Unsigned(list) => {
            put_as::<Int64Type, _>(column, &list[from..to], |value| value.cast_signed())
        }
        Values::Integer(list) => put_as::<Int64Type, _>(column, &list[from..to], |value| *value),
        Values::Float(list) => put_as::<DoubleType, _>(column, &list[from..to], |value| *value),
        Values::Text(list) => put_as::<ByteArrayType, _>(column, &list[from..to], |value| {
            ByteArray::from(value.as_str())
        }),
    }
}

/// Writes optional values: a level of 1 for each one that is there, and those that are.
fn put_as<D: DataType, T>(
    mut column: SerializedColumnWriter<'_>,
    list: &[Option<T>],
    value: impl Fn(&T) -> D::T,
) -> Result<()> {
    let levels: Vec<i16> = list.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<D::T> = list.iter().flatten().map(value).collect();
    column.typed::<D>().write_batch(&values, Some(&levels), None)?;
    column.close()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use parquet::{
        file::reader::{FileReader, SerializedFileReader},
        record::Field,
    };

    use super::*;

    fn column(name: &str, values: Values) -> Column {
        Column { name: name.into(), values, written: None }
    }

    fn read(bytes: &[u8]) -> SerializedFileReader<std::fs::File> {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("writable");
        SerializedFileReader::new(file).expect("a table")
    }

    #[test]
    fn what_was_written_is_read() {
        let columns = [
            column("number", Values::Unsigned(vec![Some(u64::MAX), Some(0)])),
            column("ranks", Values::Integer(vec![Some(-4), None])),
            column("makespan_ns", Values::Float(vec![None, Some(1.0 / 3.0)])),
            column("topology, \"odd\"", Values::Text(vec![Some("tørus".into()), None])),
        ];
        let bytes = table(&columns);
        assert_eq!(bytes, table(&columns), "the same bytes each time");
        assert!(bytes.starts_with(b"PAR1"));
        let rows: Vec<Vec<Field>> = read(&bytes)
            .get_row_iter(None)
            .expect("rows")
            .map(|row| row.expect("a row").into_columns().into_iter().map(|it| it.1).collect())
            .collect();
        let (most, text) = (Field::ULong(u64::MAX), Field::Str("tørus".into()));
        let expected = [
            vec![most, Field::Long(-4), Field::Null, text],
            vec![Field::ULong(0), Field::Null, Field::Double(1.0 / 3.0), Field::Null],
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn a_study_without_results_is_an_empty_table() {
        let bytes = table(&[column("number", Values::Unsigned(Vec::new()))]);
        assert_eq!(read(&bytes).metadata().file_metadata().num_rows(), 0);
    }
}
