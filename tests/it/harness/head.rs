//! A head file says only what was written to it.

use scoresheet::ledger::{HEAD_BYTES, Layout, Slot, Slots};

pub(crate) fn check(file: &[u8]) {
    for layout in [Layout::STANDARD, Layout::of_level(2)] {
        of_layout(file, layout);
    }
}

fn of_layout(file: &[u8], layout: Layout) {
    let slots = Slots::parse(file, layout);
    let mut heads = Vec::new();
    for (number, slot) in (0..).zip(slots.slots) {
        let Slot::Whole(head) = slot else { continue };
        // What is whole is what would be written, where it would be.
        assert_eq!(head.sequence % 2, number);
        assert_eq!(head.segment, layout.segment_of(head.size));
        let start = usize::try_from(head.slot_offset()).unwrap();
        let written = head.slot();
        assert_eq!(&file[start..start + written.len()], written);
        heads.push(head);
    }
    heads.sort_by_key(|head| head.sequence);
    assert_eq!(slots.newest(), heads.last().copied());
    let older = if heads.len() == 2 {
        Some(heads[0])
    } else {
        None
    };
    assert_eq!(slots.older(), older);
    if slots.is_sound() {
        let (older, newest) = (heads[0], heads[1]);
        assert_eq!(older.sequence + 1, newest.sequence);
        assert!(older.size <= newest.size);
    }
    if slots.is_framed && heads.len() == 2 {
        let mut written = vec![b' '; HEAD_BYTES];
        for head in heads {
            let start = usize::try_from(head.slot_offset()).unwrap();
            let slot = head.slot();
            written[start..start + slot.len()].copy_from_slice(&slot);
            written[4095] = b'\n';
        }
        assert_eq!(written, file);
    }
}
