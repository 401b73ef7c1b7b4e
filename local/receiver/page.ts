/** The page of the receiver on this machine; page.js fills it. */
import { type Html, html } from '../../static/pages/html.ts'

export const receiverPath = '/local/receiver'

/** What the receiver does with a try: the bus has no answer 410 and refuses the event instead. */
export const receiverBehaviours = ['accept', 'fail', 'hang', 'gone'] as const

const choices: readonly (readonly [(typeof receiverBehaviours)[number], english: string, chinese: string])[] = [
  ['accept', 'Accept it', '接收'],
  ['fail', 'Answer 500', '返回 500'],
  ['hang', 'Do not answer', '不响应'],
  ['gone', 'Answer 410', '返回 410'],
]

const columns: readonly (readonly [english: string, chinese: string])[] = [
  ['Time', '时间'],
  ['Type', '类型'],
  ['About', '订单或活动'],
  ['Signature', '签名'],
  ['Answer', '响应'],
  ['Event', '事件'],
]

const both = ([english, chinese]: readonly [string, string]): Html =>
  html`${english} <span lang="zh-CN">${chinese}</span>`

export function renderReceiver(): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Receiver · 本机接收端</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${receiverPath}/page.css">
<script type="module" src="${receiverPath}/page.js"></script>
</head>
<body>
<main>
<h1>Receiver <span lang="zh-CN">· 本机接收端</span></h1>
<p>Events of this machine, as a system of your shop receives them. <span lang="zh-CN">本机事件，与您自己的系统收到的一致。</span></p>
<fieldset>
<legend>${both(['What it does with an event', '收到事件后'])}</legend>
${choices.map(choice)}</fieldset>
<p role="status" id="status"></p>
<div class="scroll" tabindex="0" role="region" aria-label="Events · 事件">
<table>
<thead><tr>${columns.map((column) => html`<th scope="col">${both(column)}</th>`)}</tr></thead>
<tbody id="tries"></tbody>
</table>
</div>
</main>
</body>
</html>
`.html
}

const choice = ([value, english, chinese]: (typeof choices)[number]) =>
  html`<label><input type="radio" name="behaviour" value="${value}"> ${both([english, chinese])}</label>
`
