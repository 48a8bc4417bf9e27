// Light or dark: on the desk at once, and on the grader's other pages as they are opened.

// Streamlit keeps its theme by page; without an entry it follows the system.
const PAGES_OF_GRADERS = ["grade", "calibrate", "progress"];
const STREAMLIT_THEMES = { light: '"Light"', dark: '"Dark"' };
const PAGE_LINKS = "a[data-testid='stTopNavLink'], a[data-testid='stSidebarNavLink']";

const Theming = {
  // The page around the desk follows the theme chosen for it.
  paintTheRoom(theme) {
    let style = document.getElementById("desk-room");
    if (theme === "system") return void style?.remove();
    if (!style) {
      style = make("style", { id: "desk-room" });
      document.head.append(style);
    }
    const [paper, ink, line] = theme === "dark" ? ["#14181d", "#e7e9ec", "#4a525c"] : ["#ffffff", "#1d2733", "#cfcbc2"];
    style.textContent = `:root { color-scheme: ${theme}; }
      body, .stApp, .stApp header { background: ${paper} !important; color: ${ink} !important; }
      .stApp header, .stApp header * { color: ${ink} !important; border-color: ${line} !important; }
      .stApp * { --st-text-color: ${ink} !important; --st-border-color: ${line} !important; }`;
  },

  keepTheme(theme) {
    const folder = location.pathname.replace(/[^/]*$/, "");
    for (const page of PAGES_OF_GRADERS) {
      const key = `stActiveTheme-${folder}${page}-v2`;
      if (STREAMLIT_THEMES[theme]) localStorage.setItem(key, STREAMLIT_THEMES[theme]);
      else localStorage.removeItem(key);
    }
    if (window.themeChosen === undefined) document.addEventListener("click", openAfresh, true);
    window.themeChosen = theme;
  },
};

// A theme is read when a page is loaded: after another was chosen, a link of the menu loads its page afresh.
function openAfresh(event) {
  const link = event.target.closest?.(PAGE_LINKS);
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  location.assign(link.href);
}
