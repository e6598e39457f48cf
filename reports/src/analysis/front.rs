//! The front of run time and cost: the networks of which no other is both faster and cheaper.

use crate::comparison::Row;

/// Returns, of the rows that completed and whose networks are for sale, those for which no other is
/// faster at no higher cost or cheaper in no longer time, from fast to slow.
///
/// Ties: of rows with equal time and cost the first counts.
pub fn front<'a>(rows: &[&'a Row]) -> Vec<&'a Row> {
    let sold = rows.iter().copied().filter(|row| row.is_purchasable());
    let mut sorted: Vec<&Row> = sold.collect();
    sorted.sort_by(|a, b| {
        a.makespan.cmp(&b.makespan).then(a.cost.amount().total_cmp(&b.cost.amount()))
    });
    let mut front: Vec<&Row> = Vec::new();
    for row in sorted {
        if front.last().is_none_or(|last| row.cost.amount() < last.cost.amount()) {
            front.push(row);
        }
    }
    front
}
