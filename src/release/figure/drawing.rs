use crate::finding::visible;

/// Shapes and texts of a picture, as SVG. Coordinates are tenths of a unit.
#[derive(Default)]
pub(crate) struct Drawing {
    body: String,
}

/// Where a text stands relative to its place.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    /// It begins there.
    Start,
    /// It is centered there.
    Middle,
    /// It ends there.
    End,
}

/// The colors and letters, in light and in dark.
const STYLE: &str = "\
text{font-family:sans-serif;font-size:13px;fill:#1f2328}\
.title{font-size:17px;font-weight:bold}.name{font-weight:bold}.small{font-size:11px;fill:#59636e}\
.paper{fill:#ffffff}.grid{stroke:#d1d9e0;stroke-width:1}.track{fill:#eff2f5}\
.one{fill:#0969da}.two{fill:#bc4c00}.three{fill:#8250df}.four{fill:#1a7f37}.unknown{fill:#d1d9e0}\
.one-line{stroke:#0969da}.two-line{stroke:#bc4c00}.three-line{stroke:#8250df}.four-line{stroke:#1a7f37}\
.one-line,.two-line,.three-line,.four-line{stroke-width:2.5;fill:none}.cut{stroke:#ffffff;stroke-width:1}\
@media (prefers-color-scheme:dark){\
text{fill:#f0f6fc}.small{fill:#9198a1}.paper{fill:#0d1117}.grid{stroke:#3d444d}.track{fill:#212830}\
.one{fill:#4493f8}.two{fill:#f0883e}.three{fill:#ab7df8}.four{fill:#3fb950}.unknown{fill:#3d444d}\
.one-line{stroke:#4493f8}.two-line{stroke:#f0883e}.three-line{stroke:#ab7df8}.four-line{stroke:#3fb950}\
.cut{stroke:#0d1117}}";

impl Drawing {
    pub(crate) fn text(&mut self, [x, y]: [i128; 2], class: &str, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y, text) = (tenths(x), tenths(y), escaped(text));
        self.push(&format!(
            "<text x=\"{x}\" y=\"{y}\" class=\"{class}\"{anchor}>{text}</text>"
        ));
    }

    pub(crate) fn line(&mut self, from: [i128; 2], to: [i128; 2], class: &str) {
        let [x1, y1] = from.map(tenths);
        let [x2, y2] = to.map(tenths);
        self.push(&format!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" class=\"{class}\"/>"
        ));
    }

    pub(crate) fn bar(&mut self, at: [i128; 2], size: [i128; 2], class: &str) {
        let [x, y] = at.map(tenths);
        let [width, height] = size.map(tenths);
        self.push(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" class=\"{class}\"/>"
        ));
    }

    pub(crate) fn dot(&mut self, at: [i128; 2], class: &str) {
        let [x, y] = at.map(tenths);
        self.push(&format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" class=\"{class}\"/>"
        ));
    }

    /// The head of an arrow, to the right where `way` is positive.
    pub(crate) fn head(&mut self, [x, y]: [i128; 2], way: i128, class: &str) {
        let back = x - way.signum() * 90;
        let points = [[x, y], [back, y - 60], [back, y + 60]];
        let points = points.map(|point| point.map(tenths).join(","));
        self.push(&format!(
            "<polygon points=\"{}\" class=\"{class}\"/>",
            points.join(" ")
        ));
    }

    fn push(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    /// Returns the file. What it shows stands in its title and description, for
    /// those who do not see it.
    pub(crate) fn file(self, size: [i128; 2], title: &str, description: &[String]) -> Vec<u8> {
        let [width, height] = size.map(tenths);
        let (title, description) = (escaped(title), escaped(&description.join("\n")));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"title desc\">\n\
             <title id=\"title\">{title}</title>\n<desc id=\"desc\">{description}</desc>\n\
             <style>{STYLE}</style>\n\
             <rect width=\"{width}\" height=\"{height}\" class=\"paper\"/>\n{}</svg>\n",
            self.body
        )
        .into_bytes()
    }
}

/// A number of tenths.
fn tenths(number: i128) -> String {
    let sign = if number < 0 { "-" } else { "" };
    let number = number.unsigned_abs();
    match number % 10 {
        0 => format!("{sign}{}", number / 10),
        tenth => format!("{sign}{}.{tenth}", number / 10),
    }
}

/// What an XML document says. What XML cannot hold is shown as its escape.
fn escaped(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(visible).collect();
    let text = lines.join("\n").replace('&', "&amp;");
    let text = text.replace('<', "&lt;").replace('>', "&gt;");
    text.replace(['\u{fffe}', '\u{ffff}'], "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_strangers_are_no_markup() {
        let shown = escaped("a <b> & \u{1b}[31m");
        assert_eq!(shown, "a &lt;b&gt; &amp; \\u{1b}[31m");
    }

    #[test]
    fn tenths_have_at_most_one_digit() {
        assert_eq!(
            [0, 10, 15, -5, -120].map(tenths),
            ["0", "1", "1.5", "-0.5", "-12"]
        );
    }
}
