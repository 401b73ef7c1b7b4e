/* Shows each received try of an event, the newest first, and sets the behaviour of the receiver for the next one. */
const rows = document.getElementById('tries')
const status = document.getElementById('status')
const choices = [...document.querySelectorAll('[name=behaviour]')]
const everyMs = 1000
const maxRows = 500
let last = 0

const cell = (content, isBad) => {
  const made = document.createElement('td')
  made.append(content)
  if (isBad) made.className = 'bad'
  return made
}

function rawOf({ id, body }) {
  const [details, summary, pre] = ['details', 'summary', 'pre'].map((name) => document.createElement(name))
  summary.textContent = id
  pre.textContent = body
  details.append(summary, pre)
  return details
}

const signatures = new Map([
  [true, 'valid · 有效'],
  [false, 'not valid · 无效'],
  [null, 'EventBridge'],
])

function show(tried) {
  const { at, type, about, isVerified, status } = tried
  const row = document.createElement('tr')
  row.append(
    cell(new Date(at).toLocaleTimeString()),
    cell(type),
    cell(about),
    cell(signatures.get(isVerified), isVerified === false),
    cell(status === null ? 'none · 无' : String(status), status === null || status >= 300),
    cell(rawOf(tried)),
  )
  rows.prepend(row)
  while (rows.childElementCount > maxRows) rows.lastElementChild.remove()
}

async function poll() {
  try {
    const answer = await fetch(`/local/receiver/tries?after=${last}`)
    const { behaves, tries } = await answer.json()
    for (const choice of choices) choice.checked = choice.value === behaves
    for (const tried of tries) show(tried)
    last = tries.at(-1)?.number ?? last
    status.textContent = last === 0 ? 'No events yet. · 暂无事件。' : `Tries: ${last} · 次数：${last}`
  } catch {
    status.textContent = 'The local system does not answer. · 本地系统没有响应。'
  }
  setTimeout(poll, everyMs)
}

for (const choice of choices) {
  choice.addEventListener('change', () =>
    fetch('/local/receiver/behaviour', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(choice.value),
    }),
  )
}
poll()
