/** Words of the console for the block list, its reasons and ends, and its import. */
import type { Messages } from '../text.ts'

export const blockListMessages = {
  'block.text': [
    'Blocked shoppers and addresses are turned away from every sale, and their page says so. A blocked account with a role also loses the console. A blocked key ends every session that it has signed, or every redemption of its shop. Changes take effect within 2 seconds.',
    '黑名单中的用户和 IP 会被所有活动拦截，并收到提示；拥有后台角色的账号将同时失去后台访问权限。密钥加入黑名单后，由其签发的登录或其门店的核销全部失效。修改后 2 秒内生效。',
  ],
  'block.kind': ['Type', '类型'],
  'block.hint': [
    'A shopper ID, an IP address such as 203.0.113.7, or a range such as 203.0.113.0/24 or 2001:db8::/32; of a key its ID or name, never the key itself.',
    '用户 ID、IP 地址（如 203.0.113.7）或 IP 段（如 203.0.113.0/24、2001:db8::/32）；密钥请填写 ID 或名称，切勿填写密钥本身。',
  ],
  'block.wrongShopper': [
    'Enter a shopper ID: up to 128 letters, digits and _ . @ | : + -',
    '请输入用户 ID：最多 128 个字母、数字或 _ . @ | : + -',
  ],
  'block.wrongAddress': [
    'Enter an IPv4 or IPv6 address, or a range such as 203.0.113.0/24.',
    '请输入 IPv4 或 IPv6 地址，或 203.0.113.0/24 这样的 IP 段。',
  ],
  'block.wrongSessionKey': [
    'Enter the ID of a session key: the “kid” of its public half.',
    '请输入登录密钥的 ID，即其公钥中的 “kid”。',
  ],
  'block.wrongShopKey': [
    'Enter the name of a shop key: 1 to 20 lower-case letters, digits and inner hyphens.',
    '请输入门店密钥的名称：1 至 20 个小写字母、数字或中间的连字符。',
  ],
  'block.do': ['Block', '加入黑名单'],
  'block.undo': ['Unblock', '移出黑名单'],
  'block.wide': ['Block such a large range?', '确定将这么大的 IP 段加入黑名单？'],
  'effect.blockAsk': ['Block {value}?', '将 {value} 加入黑名单？'],
  'effect.unblockAsk': ['Unblock {value}?', '将 {value} 移出黑名单？'],
  'block.undoOf': ['Unblock {value}', '将 {value} 移出黑名单'],
  'block.done': [
    '{value} is blocked. In force everywhere within 2 seconds.',
    '已将 {value} 加入黑名单，2 秒内生效。',
  ],
  'block.undone': [
    '{value} is unblocked. In force everywhere within 2 seconds.',
    '已将 {value} 移出黑名单，2 秒内生效。',
  ],
  'block.since': ['since {time}, by {who}', '{time} 加入，操作人 {who}'],
  'block.empty': ['The list is empty.', '黑名单为空。'],
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
