use super::*;
use crate::calibration::measurement::Collective;

fn series(text: &str) -> Vec<Series> {
    read(text, "a.txt", Unsaid::default()).expect("it is read").series
}

fn fault(text: &str) -> String {
    read(text, "a.txt", Unsaid::default()).expect_err("it is wrong").to_string()
}

#[test]
fn osu_latency_and_bandwidth_are_times_of_messages() {
    let text = "# OSU MPI Latency Test v7.2\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n\
                1        1.25\n2       1.30\n\n# OSU MPI Bandwidth Test v7.2\n# Size      Bandwidth \
                (MB/s)\n1                       4.00\n1000  2000.00\n";
    let found = series(text);
    assert_eq!(found[0].benchmark, Benchmark::PingPong { pairs: 1 });
    assert_eq!(found[0].points[0].time_ns, 1250.0);
    assert!((found[0].points[0].rounding_ns - 5.0).abs() < 1e-9);
    assert_eq!(found[1].benchmark, Benchmark::Stream { pairs: 1, window: 64 });
    // 1,000 bytes at 2,000 MB/s.
    assert!((found[1].points[1].time_ns - 500.0).abs() < 1e-9);
}

#[test]
fn several_pairs_count_together_in_rates() {
    let text = "# OSU MPI Multiple Bandwidth / Message Rate Test v5.9\n# [ pairs: 4 ] [ window size: \
                32 ]\n# Size                  MB/s        Messages/s\n1000   8000.00   8000000.00\n";
    let found = series(text);
    assert_eq!(found[0].benchmark, Benchmark::Stream { pairs: 4, window: 32 });
    assert!((found[0].points[0].time_ns - 500.0).abs() < 1e-9);
}

#[test]
fn osu_headers_name_their_units() {
    let first =
        |header: &str| series(&format!("# OSU MPI {header}\n1000 2.00\n"))[0].points[0].time_ns;
    for (unit, ns) in [("us", 2e3), ("ms", 2e6), ("ns", 2.0), ("s", 2e9)] {
        assert_eq!(first(&format!("Latency Test\n# Size  Latency ({unit})")), ns, "{unit}");
        assert_eq!(first(&format!("Latency Test\n# Size  Avg Latency({unit})")), ns, "{unit}");
    }
    for (unit, rate) in
        [("B/s", 1.0), ("KB/s", 1e3), ("MB/s", 1e6), ("GB/s", 1e9), ("GiB/s", 1_073_741_824.0)]
    {
        for header in ["Bandwidth ({})", "Bandwidth({})", "{}"] {
            let header = header.replace("{}", unit);
            let time = first(&format!("Bandwidth Test v7.3\n# Size  {header}"));
            assert!((time / (1000.0 / (2.0 * rate) * 1e9) - 1.0).abs() < 1e-9, "{header}: {time}");
        }
    }
    // The header is there, and its unit is what is wrong.
    for (header, told) in [
        (
            "Bandwidth Test\n# Size  Bandwidth (Mb/s)",
            "line 2: the header has the unknown unit `Mb/s`",
        ),
        ("Bandwidth Test\n# Size  Bandwidth (foo)", "allowed are B/s, KB/s"),
        ("Latency Test\n# Size  Latency (min)", "line 2: the header has the unknown unit `min`"),
        ("Latency Test\n# Size  Latency (sec)", "allowed are s, ms, us, ns"),
    ] {
        let error = fault(&format!("# OSU MPI {header}\n1000 2.00\n"));
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn collectives_of_osu_need_their_ranks() {
    let text = "# OSU MPI Allreduce Latency Test v7.2\n# Size   Avg Latency(us)   Min Latency(us)\n\
                4   3.00   2.90\n";
    assert!(fault(text).contains("line 1: `Allreduce Latency Test` does not print"));
    let unsaid = Unsaid { ranks: Some(16), ..Unsaid::default() };
    let found = read(text, "a.txt", unsaid).expect("it is read").series;
    let benchmark = Benchmark::Collective { operation: Collective::AllReduce, ranks: 16 };
    assert_eq!((found[0].benchmark, found[0].points[0].time_ns), (benchmark, 3000.0));
    let barrier = "# OSU MPI Barrier Latency Test v7.2\n# Avg Latency(us)\n   2.50\n";
    let found = read(barrier, "a.txt", unsaid).expect("it is read").series;
    assert_eq!((found[0].points[0].bytes, found[0].points[0].time_ns), (0, 2500.0));
}

#[test]
fn intel_tables_end_at_empty_lines() {
    let text = "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n\n\
        # Benchmarking PingPong \n# #processes = 2 \n#----\n       #bytes #repetitions      t[usec]   \
        Mbytes/sec\n            0         1000         0.51         0.00\n            1         1000  \
               0.52         1.92\n\n# Benchmarking PingPing\n# #processes = 2\n#bytes #repetitions \
        t[usec] Mbytes/sec\n0 1000 0.6 0.0\n\n# Benchmarking Allreduce\n# #processes = 8\n#bytes \
        #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n 0 1000 0.00 0.00 0.00\n 4 1000 1.0 2.0 \
        1.5\n\n# All processes entering MPI_Finalize\n";
    let found = read(text, "a.txt", Unsaid::default()).expect("it is read");
    assert_eq!(found.skipped, ["IMB PingPing"]);
    assert_eq!(found.series[0].points.len(), 2);
    assert_eq!(found.series[1].points[0].time_ns, 1500.0);
    assert_eq!(found.series[1].benchmark.ranks(), 8);
}

#[test]
fn netpipe_is_known_by_its_numbers() {
    let found = series(
        "       1 0.367      0.0000208\n       1 0.366      0.0000209\n    1024 156.3 \
                        0.0000524\n",
    );
    assert_eq!(found[0].points.len(), 2);
    assert!((found[0].points[0].time_ns - 20_800.0).abs() < 1e-6);
    let printed = "  0:       1 bytes  21354 times -->      1.02 Mbps in       7.48 usec\n";
    assert!((series(printed)[0].points[0].time_ns - 7480.0).abs() < 1e-9);
}

#[test]
fn tables_name_their_unit() {
    assert_eq!(series("size,time_us\n1,2\n4,3.5\n")[0].points[1].time_ns, 3500.0);
    assert_eq!(series("\"latency (ms)\";\"bytes\"\n0.5;8\n")[0].points[0].time_ns, 5e5);
    let points = &series("size;time_us\n0;1,7\n1024;1,85\n")[0].points;
    assert_eq!(points.iter().map(|point| point.time_ns).collect::<Vec<_>>(), [1700.0, 1850.0]);
    assert!(fault("1,2\n").contains("line 1: the unit of the times is not known"));
    let unsaid = Unsaid { unit: Some(TimeUnit::Nanoseconds), ..Unsaid::default() };
    let first = |text: &str| read(text, "a.txt", unsaid).expect("read").series[0].points[0].time_ns;
    assert_eq!(first("1,2\n"), 2.0);
    assert_eq!(first("size,time_us\n1,2\n"), 2000.0, "the header says it");
}

#[test]
fn faults_name_their_line() {
    for (text, told) in [
        ("", "in no known format"),
        ("hello\n", "in no known format"),
        ("# OSU MPI Latency Test v7\n# Size Latency (us)\n1 fast\n", "line 3: `fast` is not"),
        ("# OSU MPI Latency Test v7\n# Size Latency (us)\n-1 2\n", "line 3: `-1` is not a size"),
        ("# OSU MPI Latency Test v7\n# Size Latency (us)\n1 0\n", "line 3: `0` is not"),
        ("# OSU MPI Latency Test v7\n# Size Latency (us)\n1\n", "line 3: `1` has 1 columns"),
        ("# OSU MPI Latency Test v7\n# Size Latency (us)\n", "line 1: the table that begins here"),
        ("# OSU MPI Latency Test v7\n1 2\n", "line 2: there is no header"),
        (
            "# OSU MPI Latency Test v7\n# Size Latency (us)\n1 2\n1 3\n",
            "line 4: the size 1 is in line 3",
        ),
        (
            "# OSU MPI_Put Latency Test v7\n# Size Latency (us)\n1 2\n",
            "only tables that are not used",
        ),
        ("# OSU MPI Multi Latency Test\n# Size Latency (us)\n1 2\n", "--pairs"),
        ("# Benchmarking Bcast\n#bytes #repetitions t_avg[usec]\n1 1 1\n", "# #processes"),
        ("size,time\n1,2\n", "line 2: the unit"),
        ("size,speed\n1,2\n", "line 1: the header names no size and time"),
        ("size,time_us\n1\n", "line 2: `1` has 1 columns"),
        ("size,time_us\n1,nan\n", "line 2: `nan` is not"),
        ("size,time_us\n1,1e400\n", "line 2: `1e400` is not"),
    ] {
        let error = fault(text);
        assert!(error.starts_with("a.txt: ") && error.contains(told), "{text:?}: {error}");
    }
}
