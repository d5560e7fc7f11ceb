//! Pages from templates. Whatever is put into one is escaped for it.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
use serde::Serialize;

/// A template: its name, whose ending says how values are escaped, and its text.
pub type Template = (&'static str, &'static str);

/// The page that shows all charts.
pub const INDEX: Template = ("index.html", include_str!("../templates/index.html"));

/// The report of a run.
pub const REPORT: Template = ("report.html", include_str!("../templates/report.html"));

/// A page.
///
/// # Errors
/// Where the template does not fit the values; the message names it and the line.
pub fn render((name, text): Template, values: impl Serialize) -> Result<String, String> {
    let failed = |error: minijinja::Error| format!("{error:#}");
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_syntax(syntax.build().map_err(failed)?);
    environment.render_named_str(name, text, Value::from(Serde(values))).map_err(failed)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn values_are_escaped_and_missing_ones_are_refused() {
        let page = ("x.html", "<p>{{ name }}</p>\n");
        let name = "A&B <fast> 50% \"q\"";
        let text = render(page, BTreeMap::from([("name", name)])).unwrap();
        assert_eq!(text, "<p>A&amp;B &lt;fast&gt; 50% &quot;q&quot;</p>\n");
        assert!(render(page, BTreeMap::<&str, &str>::new()).unwrap_err().contains("x.html"));
    }
}
