use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Is told how many of how many things are done, on whatever thread.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// Does the work for each thing, on all cores, and returns what came of it in the
/// order of the things.
pub fn in_parallel<T: Sync, R: Send>(
    things: &[T],
    progress: Progress<'_>,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let (next, n_done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let done = Mutex::new(Vec::with_capacity(things.len()));
    let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    let take_turns = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(thing) = things.get(at) else { break };
            let result = work(thing);
            // Nobody panics with the lock in hand.
            let mut done = done
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            done.push((at, result));
            drop(done);
            let n_done = n_done.fetch_add(1, Ordering::Relaxed) + 1;
            progress(count(n_done), count(things.len()));
        }
    };
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 1..cores.min(things.len()) {
            // Where the system starts no more threads, this one does the work.
            drop(thread::Builder::new().spawn_scoped(scope, take_turns));
        }
        take_turns();
    });
    let mut done = done
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_things_and_each_is_counted_once() {
        let things: Vec<u64> = (0..1000).collect();
        let counted = Mutex::new(Vec::new());
        let progress = |done, all| counted.lock().unwrap().push((done, all));
        let squares = in_parallel(&things, &progress, |n| n * n);
        assert!(squares.iter().copied().eq(things.iter().map(|n| n * n)));
        let mut counted = counted.into_inner().unwrap();
        counted.sort_unstable();
        assert!(counted.iter().copied().eq((1..=1000).map(|n| (n, 1000))));
        assert_eq!(in_parallel(&[], &|_, _| (), |n: &u64| *n), [0; 0]);
    }
}
