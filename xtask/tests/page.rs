//! The report's page as a browser shows it: what a reader can choose, that it is whole without a network, and
//! that it fits. Skipped, in words, where Chromium is not installed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lab::charts::Theme;
use lab::charts::theme::Colour;

const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The browser of this machine; nothing, and a word about it, where there is none.
fn browser(test: &str) -> Option<&'static str> {
    let starts = |name: &&str| {
        let mut command = Command::new(name);
        let version = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    };
    let found = BROWSERS.into_iter().find(starts);
    if found.is_none() {
        // Past the test harness, which keeps what a passing test prints to itself.
        let mut errors = std::io::stderr();
        writeln!(errors, "SKIPPED {test}: Chromium is not installed").unwrap();
    }
    found
}

/// What the browser says on standard output and on standard error.
fn browse(browser: &str, arguments: &[&str], page: &Path) -> (String, String) {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--no-first-run",
        ])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--log-level=0", "--virtual-time-budget=10000"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(arguments)
        .arg(url(page))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

fn url(page: &Path) -> String {
    let path = page.to_str().unwrap();
    let escaped: String = path
        .bytes()
        .map(|byte| match byte {
            b'/' | b'.' | b'-' | b'_' => char::from(byte).to_string(),
            _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect();
    format!("file://{escaped}")
}

/// The reference run, with its report written anew, in a folder whose name wants quoting.
fn reported() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("ein ümlaut & more");
    fs::create_dir(&run).unwrap();
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports/reference");
    for entry in fs::read_dir(&reference).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.extension().is_some_and(|ending| ending == "csv" || ending == "json") {
            fs::copy(&path, run.join(entry.file_name())).unwrap();
        }
    }
    let output =
        Command::new(env!("CARGO_BIN_EXE_xtask")).arg("report").arg(&run).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (folder, run.join("report.html"))
}

/// The page in a frame of a width: a window of the browser's own is never narrower than 500 pixels.
fn framed(page: &Path, width: &str) -> PathBuf {
    let frame =
        page.with_file_name(format!("{width}-{}", page.file_name().unwrap().to_str().unwrap()));
    let text = format!(
        "<!doctype html><style>:root {{ color-scheme: light dark }} body {{ margin: 0 }}
         iframe {{ border: 0; display: block }}</style>
         <iframe width=\"{width}\" height=\"900\" src=\"{}\"></iframe>
         <script>addEventListener('message', (event) => {{
             const place = document.createElement('pre');
             place.id = 'found'; place.textContent = event.data;
             document.body.append(place);
         }});</script>",
        url(page)
    );
    fs::write(&frame, text).unwrap();
    frame
}

/// Runs a script on the page in a frame of a width, as it is but for being allowed to; gives back what the script
/// returns.
fn probe(browser: &str, width: &str, page: &Path, script: &str) -> serde_json::Value {
    let text = fs::read_to_string(page).unwrap();
    let (before, rest) = text.split_once("<meta http-equiv").unwrap();
    let (_, after) = rest.split_once('>').unwrap();
    let script = format!(
        "<script>document.fonts.ready.then(() => {{
            let found; try {{ found = (() => {{ {script} }})(); }} catch (error) {{ found = String(error); }}
            parent.postMessage(JSON.stringify(found), '*');
        }});</script>"
    );
    let probed = page.with_file_name("probed.html");
    fs::write(&probed, format!("{before}{after}").replace("</body>", &format!("{script}</body>")))
        .unwrap();
    let (dom, _) =
        browse(browser, &["--window-size=1600,1000", "--dump-dom"], &framed(&probed, width));
    let (_, rest) = dom.split_once("<pre id=\"found\">").expect("the script has run");
    let json = rest.split_once("</pre>").unwrap().0;
    let json = json.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// What a reader chooses is what the charts show: baseline, order, scale, variants; and back again.
#[test]
fn a_reader_chooses_what_the_charts_show() {
    let Some(browser) = browser("a_reader_chooses_what_the_charts_show") else { return };
    let (_folder, page) = reported();
    let found = probe(
        browser,
        "1400",
        &page,
        "const all = (css) => [...document.querySelectorAll(css)];
         const visible = (e) => !e || (getComputedStyle(e).display != 'none' && visible(e.parentElement));
         const shown = (css) => all(css).filter((e) => visible(e)).length;
         const views = () => ({
             baseline: all('.view[data-baseline]').filter((e) => e.tagName == 'DIV' && visible(e))
                 .map((e) => e.dataset.baseline),
             order: all('#chart-ranking .view[data-order]').filter((e) => visible(e))
                 .map((e) => e.dataset.order),
             time: all('#chart-time .view').filter((e) => visible(e)).map((e) => e.dataset.scale),
             lanes: shown('#chart-time .view.default [data-variants=\"lanes\"]'),
             shared: shown('#chart-search-tree .view.default [data-variants~=\"threads\"]'),
             factor: all('#chart-ranking [data-variants=\"lanes\"][data-baseline]')
                 .filter((e) => visible(e)).map((e) => e.textContent),
         });
         const steps = [views()];
         document.querySelector('#baseline').value = 'bitmask';
         document.querySelector('#order').value = '11';
         document.querySelector('#scale-linear').checked = true;
         steps.push(views());
         document.querySelector('#scale-log').checked = true;
         document.querySelector('input[value=lanes]').checked = false;
         document.querySelector('input[value=threads]').checked = false;
         steps.push(views());
         for (const id of ['array-2d', 'full-scan', 'prefix-check', 'non-recursive', 'bitmask'])
             document.querySelector(`input[value=${id}]`).checked = false;
         steps.push(views());
         document.querySelector('form').reset();
         steps.push(views());
         document.querySelector('input[value=mirror]').focus({ focusVisible: true });
         const opacity = (id) => getComputedStyle(
             document.querySelector(`#chart-time [data-variants=\"${id}\"]`)).opacity;
         return { steps, mirror: opacity('mirror'), other: opacity('lanes'),
             tools: shown('.choices'), hints: all('.note .hint').length };",
    );
    let steps = found["steps"].as_array().unwrap_or_else(|| panic!("{found}"));
    let expect = |step: usize, what: &str, value: serde_json::Value| {
        assert_eq!(steps[step][what], value, "step {step}: {what} of {found}");
    };
    expect(0, "baseline", serde_json::json!(["array-2d"]));
    expect(0, "order", serde_json::json!(["13"]));
    expect(0, "time", serde_json::json!(["log"]));
    assert!(
        steps[0]["lanes"].as_u64() > Some(0) && steps[0]["shared"].as_u64() > Some(0),
        "{found}"
    );
    expect(1, "baseline", serde_json::json!(["bitmask"]));
    expect(1, "order", serde_json::json!(["11"]));
    expect(1, "time", serde_json::json!(["linear"]));
    assert_ne!(steps[0]["factor"], steps[1]["factor"], "{found}");
    assert_eq!(steps[1]["factor"].as_array().map(Vec::len), Some(1), "{found}");
    expect(2, "lanes", serde_json::json!(0));
    expect(2, "factor", serde_json::json!([]));
    // A curve that several variants share is there as long as one of them is.
    assert_eq!(steps[2]["shared"], steps[0]["shared"], "{found}");
    expect(3, "shared", serde_json::json!(0));
    assert_eq!(steps[4], steps[0], "{found}");
    assert_eq!((found["mirror"].as_str(), found["other"].as_str()), (Some("1"), Some("0.15")));
    assert!(found["hints"].as_u64() > Some(500), "{found}");
}

/// Nothing is wider than the window but what scrolls by itself; everything has a name; no identifier is there
/// twice; the carried font is used; nothing was asked of a network.
#[test]
fn the_page_fits_and_everything_on_it_has_a_name() {
    let Some(browser) = browser("the_page_fits_and_everything_on_it_has_a_name") else { return };
    let (_folder, page) = reported();
    for width in ["400", "1400"] {
        let found = probe(
            browser,
            width,
            &page,
            "const all = (css) => [...document.querySelectorAll(css)];
             const ids = all('[id]').map((e) => e.id);
             const named = (e) => (e.labels && e.labels.length > 0) || e.getAttribute('aria-label');
             const refers = all('[aria-labelledby],[aria-describedby]').flatMap((e) =>
                 [e.getAttribute('aria-labelledby'), e.getAttribute('aria-describedby')].filter(Boolean));
             return {
                 wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
                 twice: ids.filter((id, place) => ids.indexOf(id) != place),
                 nameless: all('input, select').filter((e) => !named(e)).length,
                 dangling: refers.filter((id) => !document.getElementById(id)),
                 links: all('a[href^=\"#\"]').filter((e) => !document.querySelector(e.getAttribute('href'))).length,
                 headings: all('h1, h2, h3').map((e) => e.tagName).join(''),
                 font: [...document.fonts].some((f) => f.family.includes('DejaVu') && f.status == 'loaded'),
                 width: innerWidth,
                 fetched: performance.getEntriesByType('resource').map((e) => e.name.slice(0, 30))
                     .filter((name) => !name.startsWith('data:')),
                 scrollers: all('.scroll').filter((e) => e.tabIndex != 0 || !named(e)).length,
                 figures: all('figure').length,
             };",
        );
        for (what, value) in [
            ("wider", serde_json::json!(0)),
            ("twice", serde_json::json!([])),
            ("nameless", serde_json::json!(0)),
            ("dangling", serde_json::json!([])),
            ("links", serde_json::json!(0)),
            ("font", serde_json::json!(true)),
            ("fetched", serde_json::json!([])),
            ("scrollers", serde_json::json!(0)),
            ("width", serde_json::json!(width.parse::<u32>().unwrap())),
        ] {
            assert_eq!(found[what], value, "{what} at {width}: {found}");
        }
        assert!(found["headings"].as_str().unwrap_or_default().starts_with("H1H2"), "{found}");
        assert!(found["figures"].as_u64() >= Some(10), "{found}");
    }
}

/// In each theme and width the page is drawn on its own paper, without a word on the console, without scripts.
#[test]
fn the_page_is_shown_light_and_dark_without_complaint() {
    let Some(browser) = browser("the_page_is_shown_light_and_dark_without_complaint") else {
        return;
    };
    let (folder, page) = reported();
    let text = fs::read_to_string(&page).unwrap();
    assert!(!text.contains("<script"), "scripts");
    assert!(text.contains("default-src 'none'"), "the page may fetch");
    for (theme, scheme) in [(Theme::Article, "1"), (Theme::Dark, "0")] {
        for width in ["400", "1400"] {
            let picture = folder.path().join(format!("{width}-{}.png", theme.name()));
            let (_, said) = browse(
                browser,
                &[
                    "--window-size=1400,900",
                    &format!("--blink-settings=preferredColorScheme={scheme}"),
                    &format!("--screenshot={}", picture.display()),
                ],
                &framed(&page, width),
            );
            assert!(!said.contains("CONSOLE"), "{said}");
            let decoder =
                png::Decoder::new(std::io::BufReader::new(fs::File::open(&picture).unwrap()));
            let mut reader = decoder.read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut pixels).unwrap();
            assert_eq!(info.width, 1400);
            let (red, green, blue) = theme.paint(Colour::Paper);
            assert_eq!(pixels[..3], [red, green, blue], "{theme:?} at {width}");
        }
    }
    let paper = folder.path().join("paper.pdf");
    browse(browser, &[&format!("--print-to-pdf={}", paper.display())], &page);
    assert!(fs::read(&paper).unwrap().starts_with(b"%PDF-"));
}

/// What is not of the page is nowhere in it: no other host, no picture beside it. Links lead to the source.
#[test]
fn the_page_is_one_file() {
    let (_folder, page) = reported();
    let text = fs::read_to_string(page).unwrap().replace("&#x2f;", "/");
    for word in ["src=\"", "@import", "http://", "https://", "url("] {
        let foreign = text.match_indices(word).filter(|(place, _)| {
            let after = &text[place + word.len()..];
            !after.starts_with("data:") && !after.starts_with("www.w3.org/")
        });
        assert_eq!(foreign.count(), 0, "{word}");
    }
    assert!(text.contains("crates/bitmask/SOURCE.md\">bitmask</a>"));
    assert!(text.contains("O(1) a node; O(N) memory"));
}
