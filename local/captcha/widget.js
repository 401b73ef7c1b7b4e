/*
 * The widget of the stand-in: asks it at once what to do, or after a click where a person must
 * click first, and says so to the page around.
 */
const terms = Object.fromEntries(new URLSearchParams(location.search))
const words = document.getElementById('words')
const button = document.getElementById('person')
const isChinese = terms.language.startsWith('zh')
const say = (english, chinese) => {
  words.textContent = isChinese ? chinese : english
}
const tell = (call, value) => window.parent.postMessage({ call, value }, '*')

async function run(clicked) {
  const response = await fetch('token', { method: 'POST', body: JSON.stringify({ ...terms, clicked }) })
  const { kind, token } = await response.json()
  button.hidden = kind !== 'ask'
  if (kind === 'ask') {
    say('Are you a person?', '请确认您是真人')
    tell('before-interactive-callback')
  } else if (kind === 'fail') {
    say('Failed', '验证失败')
    tell('error-callback', '300030')
  } else {
    say('Success', '验证成功')
    tell('callback', token)
  }
}

document.documentElement.lang = terms.language
button.textContent = isChinese ? '确认' : 'Yes'
button.addEventListener('click', () => run(true))
say('Verifying…', '正在验证…')
run(false)
