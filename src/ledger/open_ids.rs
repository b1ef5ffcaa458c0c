use crate::event::EventId;

/// The ids of the open segment.
#[derive(Default)]
pub(crate) struct OpenIds {
    sorted: Vec<EventId>,
    /// Added since the last look.
    fresh: Vec<EventId>,
}

impl OpenIds {
    pub(crate) fn add(&mut self, id: EventId) {
        self.fresh.push(id);
    }

    pub(crate) fn clear(&mut self) {
        self.sorted.clear();
        self.fresh.clear();
    }

    /// Sorts in what was added since the last look.
    fn settle(&mut self) {
        // So few are put in their places one by one.
        const FEW: usize = 8;
        if FEW < self.fresh.len() {
            self.fresh.sort_unstable();
            self.sorted.append(&mut self.fresh);
            // Two sorted runs, which this kind of sort merges.
            self.sorted.sort();
        }
        for id in self.fresh.drain(..) {
            let place = self.sorted.partition_point(|known| *known < id);
            self.sorted.insert(place, id);
        }
    }

    /// Returns the place of the first of these ids that stands there already,
    /// or stands twice among them.
    pub(crate) fn duplicate(&mut self, ids: impl IntoIterator<Item = EventId>) -> Option<usize> {
        self.settle();
        let mut numbered: Vec<_> = ids.into_iter().zip(0..).collect();
        numbered.sort_unstable();
        let is_known = |id: &EventId| self.sorted.binary_search(id).is_ok();
        let twice = numbered.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let twice = twice.map(|pair| pair[1].1);
        let known = numbered.iter().filter(|(id, _)| is_known(id));
        let known = known.map(|(_, place)| *place);
        known.chain(twice).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_id_that_stands_there_or_comes_twice_is_named() {
        let id = |number: u8| EventId::of(&[number]);
        let mut open = OpenIds::default();
        assert_eq!(open.duplicate([]), None);
        assert_eq!(open.duplicate([1, 2, 3].map(id)), None);
        assert_eq!(open.duplicate([1, 2, 3, 2, 1].map(id)), Some(3));
        for number in [9, 4, 7] {
            open.add(id(number));
        }
        assert_eq!(open.duplicate([1, 2, 3].map(id)), None);
        assert_eq!(open.duplicate([1, 1, 7].map(id)), Some(1));
        assert_eq!(open.duplicate([1, 7, 1].map(id)), Some(1));
        open.add(id(1));
        assert_eq!(open.duplicate([3, 1].map(id)), Some(1));
        open.clear();
        assert_eq!(open.duplicate([1, 9].map(id)), None);
        // A few at a time, and many at once.
        for number in (0..200).rev() {
            assert_eq!(open.duplicate([id(number)]), None);
            open.add(id(number));
        }
        open.clear();
        for number in 0..200 {
            open.add(id(number));
        }
        for number in 0..200 {
            assert_eq!(open.duplicate([255, number].map(id)), Some(1));
        }
    }
}
