use super::*;

const CONTROL: Control = Control { least: SimDuration::from_us(100), window: 2, selective: false };

fn sender() -> Sender {
    let mut sender = Sender::new(CONTROL, SimDuration::from_us(10));
    sender.add(1000);
    sender
}

fn sent(sender: &mut Sender) -> Vec<u64> {
    std::iter::from_fn(|| sender.next()).collect()
}

#[test]
fn the_window_doubles_in_each_round_until_the_threshold() {
    let mut sender = sender();
    sender.threshold = 8;
    let mut flying = sent(&mut sender);
    let mut rounds = Vec::new();
    for _ in 0..6 {
        rounds.push(flying.len());
        let mut next = Vec::new();
        for number in flying {
            assert_eq!(sender.acknowledge(number + 1, number, None), None);
            next.extend(sent(&mut sender));
        }
        flying = next;
    }
    assert_eq!(rounds, [2, 4, 8, 9, 10, 11]);
}

#[test]
fn a_window_that_is_not_used_does_not_grow() {
    let mut sender = Sender::new(CONTROL, SimDuration::from_us(10));
    for number in 0..50 {
        sender.add(1);
        assert_eq!(sent(&mut sender), [number]);
        sender.acknowledge(number + 1, number, None);
    }
    assert_eq!(sender.window, 2);
}

#[test]
fn three_duplicates_halve_the_window_and_replace_one_packet_after_the_other() {
    let mut sender = sender();
    sender.window = 10;
    assert_eq!(sent(&mut sender), (0..10).collect::<Vec<_>>());
    // Packets 0 and 4 are lost: 1, 2, 3, 5, 6, 7, 8, 9 ask for 0.
    let again: Vec<_> = (0..8).map(|_| sender.acknowledge(0, 0, None)).collect();
    assert_eq!(again, [None, None, Some(0), None, None, None, None, None]);
    // Half of 10, and the 8 that have left the network.
    assert_eq!((sender.threshold, sender.window), (5, 13));
    assert_eq!(sent(&mut sender), [10, 11, 12]);
    assert_eq!(sender.acknowledge(4, 0, None), Some(4), "the next hole");
    assert_eq!(sender.acknowledge(10, 4, None), None);
    assert_eq!((sender.recovering, sender.window), (false, 5));
}

#[test]
fn selective_acknowledgements_replace_several_packets_in_one_round_trip() {
    let control = Control { selective: true, ..CONTROL };
    let mut sender = Sender::new(control, SimDuration::from_us(10));
    sender.add(1000);
    sender.window = 16;
    assert_eq!(sent(&mut sender), (0..16).collect::<Vec<_>>());
    // Packets 0, 4, 5 and 9 are lost. What each acknowledgement sends:
    let mut after = |arrived| {
        let mut again: Vec<u64> = sender.acknowledge(0, arrived, None).into_iter().collect();
        again.extend(sent(&mut sender));
        again
    };
    // Each packet that has arrived makes space for a new one.
    assert_eq!([1, 2].map(&mut after), [vec![16], vec![17]]);
    // The window is half of 18 packets then, and 0 is sent again; 4 to 17 and 0 are under way.
    assert_eq!([3, 6, 7].map(&mut after), [vec![0], vec![], vec![]]);
    // Three packets behind 4 and 5 say that they are lost, and later the same of 9.
    assert_eq!([8, 10, 11, 12].map(&mut after), [vec![], vec![], vec![4], vec![5, 9]]);
    assert_eq!([13, 14, 15].map(&mut after), [vec![18], vec![19], vec![20]]);
    assert_eq!(sender.acknowledge(4, 0, None), None);
    assert_eq!(sent(&mut sender), [21]);
    assert_eq!(sender.acknowledge(18, 9, None), None);
    assert_eq!((sender.recovering, sender.window, sender.threshold), (false, 9, 9));
}

#[test]
fn a_time_out_sends_what_has_arrived_not_again() {
    let control = Control { selective: true, ..CONTROL };
    let mut sender = Sender::new(control, SimDuration::from_us(10));
    sender.add(10);
    sender.window = 8;
    assert_eq!(sent(&mut sender).len(), 8);
    sender.acknowledge(0, 2, None);
    sender.acknowledge(0, 3, None);
    sender.time_out();
    assert_eq!(sent(&mut sender), [0]);
    sender.acknowledge(1, 0, None);
    assert_eq!(sent(&mut sender), [1, 4]);
}

#[test]
fn a_time_out_sends_all_again_and_doubles_until_an_acknowledgement() {
    let mut sender = sender();
    sender.window = 8;
    assert_eq!(sent(&mut sender).len(), 8);
    assert_eq!(sender.timeout(), SimDuration::from_us(100));
    sender.time_out();
    assert_eq!((sender.threshold, sent(&mut sender)), (4, vec![0]));
    sender.time_out();
    assert_eq!((sender.threshold, sent(&mut sender)), (4, vec![0]));
    assert_eq!(sender.timeout(), SimDuration::from_us(400));
    // Packets that were in order behind the lost one have arrived before.
    assert_eq!(sender.acknowledge(5, 4, None), None);
    assert_eq!(sender.timeout(), SimDuration::from_us(100));
    assert_eq!(sent(&mut sender), [5, 6]);
    // They arrive twice, which is no loss.
    let again: Vec<_> = (0..4).map(|_| sender.acknowledge(5, 4, None)).collect();
    assert_eq!(again, [None; 4]);
}

#[test]
fn the_time_out_follows_the_round_trip() {
    let mut sender = Sender::new(CONTROL, SimDuration::from_us(80));
    assert_eq!(sender.timeout(), SimDuration::from_us(240));
    sender.add(1);
    sent(&mut sender);
    sender.acknowledge(1, 0, Some(SimDuration::from_us(160)));
    // Mean 90, deviation (3 · 40 + 80) / 4 = 50.
    assert_eq!(sender.timeout(), SimDuration::from_us(290));
}
