/** Words of the console for the reasons and ends of blocks, and for their import. */
import type { Messages } from '../text.ts'

export const blockListMessages = {
  'blocks.reason': ['Reason (optional)', '原因（选填）'],
  'blocks.reasonHint': [
    'Up to 100 characters. Staff see it, shoppers don’t.',
    '最多 100 个字符，仅后台可见。',
  ],
  'blocks.wrongReason': ['Use one line of at most 100 characters.', '请输入不超过 100 个字符的单行文字。'],
  'blocks.until': ['Until (optional)', '截止时间（选填）'],
  'blocks.untilHint': [
    'The entry leaves the list by itself within a minute. Empty for good.',
    '到期后一分钟内自动移出；不填则长期有效。',
  ],
  'blocks.wrongUntil': ['Enter a time in the future.', '请输入将来的时间。'],
  'blocks.ends': ['until {time}', '{time} 到期'],
  'blocks.title': ['Import a file', '导入文件'],
  'blocks.text': ['Block many at once from a CSV file.', '用 CSV 文件批量加入黑名单。'],
  'blocks.file': ['CSV file', 'CSV 文件'],
  'blocks.fileHint': [
    'Columns kind (ip, shopper, session-key or shop-key) and value; optional are reason and until, such as 2026-12-31T23:59Z. You see what it does before anything changes.',
    '需包含列 kind（ip、shopper、session-key 或 shop-key）和 value，可选列 reason 和 until（如 2026-12-31T23:59+08:00）。确认之前不会作任何更改。',
  ],
  'blocks.check': ['Check file…', '检查文件…'],
  'blocks.busy': ['Done: {done} of {total}', '已处理 {done} / {total}'],
  'blocks.ready': [
    'To add or change: {n}. On the list already: {same}. Can’t be imported: {wrong}.',
    '待添加或更新：{n}，已在名单：{same}，无法导入：{wrong}。',
  ],
  'blocks.add': ['Block {n} {n|entry|entries}', '加入 {n} 条'],
  'blocks.done': ['{n} {n|entry is|entries are} blocked.', '已加入 {n} 条。'],
  'blocks.line.invalid': ['Not a kind and a value that can be blocked', '类型或内容无效'],
  'blocks.line.wide': ['Too wide to be imported: block it by itself', 'IP 段过大，请单独添加'],
  'blocks.line.duplicate': ['Appears twice in the file', '在文件中重复出现'],
  'blocks.line.reason': ['The reason is longer than 100 characters', '原因超过 100 个字符'],
  'blocks.line.until': ['Not a time in the future, with its zone', '截止时间无效、已过去或缺少时区'],
} as const satisfies Messages
