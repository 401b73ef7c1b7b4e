/** The style sheet of the simulated provider's page, a text in its function's bundle. */
export const paymentStyles = `:root {
  color-scheme: light dark;
  --paper: #eef1f6;
  --card: #ffffff;
  --ink: #16202e;
  --ink-soft: #505d70;
  --line: #d5dce6;
  --accent: #1f4fd8;
  --accent-deep: #173fb0;
  --accent-ink: #ffffff;
  --bad: #a3231b;
  --focus: #b45309;
}

@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0e131b;
    --card: #18202c;
    --ink: #edf1f7;
    --ink-soft: #a6b2c4;
    --line: #303c4d;
    --accent: #8fb0ff;
    --accent-deep: #b3c9ff;
    --accent-ink: #0a1836;
    --bad: #ff9b90;
    --focus: #fbbf24;
  }
}

* {
  box-sizing: border-box;
  margin: 0;
}

body {
  display: grid;
  place-items: start center;
  min-height: 100dvh;
  padding: clamp(1rem, 6vh, 5rem) 1rem;
  background: var(--paper);
  color: var(--ink);
  font:
    1.0625rem / 1.6 system-ui,
    -apple-system,
    "Segoe UI",
    Roboto,
    "PingFang SC",
    "Microsoft YaHei",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Open Sans",
    sans-serif;
}

main {
  width: 100%;
  max-width: 27rem;
  padding: clamp(1.25rem, 5vw, 2rem);
  border: 1px solid var(--line);
  border-radius: 16px;
  background: var(--card);
}

.kicker {
  color: var(--ink-soft);
  font-size: 0.875rem;
  font-weight: 600;
}

h1 {
  margin: 0.25rem 0 0.5rem;
  font-size: clamp(1.75rem, 1.4rem + 2vw, 2.25rem);
  letter-spacing: -0.02em;
  line-height: 1.15;
}

.lead {
  color: var(--ink-soft);
}

dl {
  margin: 1.5rem 0;
  border-top: 1px solid var(--line);
  font-size: 0.9375rem;
}

dl div {
  padding: 0.6rem 0;
  border-bottom: 1px solid var(--line);
}

dt {
  color: var(--ink-soft);
}

dd {
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}

form {
  display: grid;
  gap: 0.75rem;
}

button {
  min-height: 48px;
  padding: 0.5rem 1rem;
  border: 1px solid var(--line);
  border-radius: 12px;
  background: transparent;
  color: var(--ink);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}

button:hover {
  border-color: currentColor;
}

button[value="pay"] {
  border-color: transparent;
  background: var(--accent);
  color: var(--accent-ink);
}

button[value="pay"]:hover {
  background: var(--accent-deep);
}

button[value="fail"] {
  color: var(--bad);
}

.back {
  margin-top: 1rem;
}

.back a {
  display: inline-flex;
  align-items: center;
  min-height: 44px;
  color: var(--accent);
  text-underline-offset: 0.2em;
}

:focus-visible {
  outline: 3px solid var(--focus);
  outline-offset: 3px;
}
`
