/** Words of the console for who signs tokens for the shop's own customers. */
import type { Messages } from '../text.ts'

export const customerIssuerMessages = {
  'customers.text': [
    'Your shop signs a short token for a customer who is signed in there, and the gate takes it for a session. Name the system that signs, and where its public keys are.',
    '您的商城为已登录的顾客签发短期令牌，本系统即视其为已登录。请填写签发系统及其公钥来源。',
  ],
  'customers.empty': ['No issuer yet: customers sign in here.', '暂无签发方，顾客在本站登录。'],
  'customers.name': ['Name', '名称'],
  'customers.hint.name': [
    'Begins the IDs of its customers, customer:name|…, so choose one for good.',
    '用作顾客 ID 的前缀（customer:名称|…），确定后请勿更改。',
  ],
  'customers.wrong.name': [
    'Enter 1 to 16 lower-case letters, digits or hyphens, a letter first.',
    '请输入 1 到 16 个小写字母、数字或连字符，以字母开头。',
  ],
  'customers.issuer': ['Issuer (iss)', '签发方（iss）'],
  'customers.hint.issuer': [
    'As in the tokens, letter by letter, such as https://shop.example',
    '与令牌中的 iss 完全一致，例如 https://shop.example',
  ],
  'customers.wrong.issuer': [
    'Enter up to 255 letters, digits or signs, without a space.',
    '请输入不超过 255 个字母、数字或符号，不含空格。',
  ],
  'customers.source': ['Public keys', '公钥来源'],
  'customers.source.url': ['Read at an address', '从网址读取'],
  'customers.source.paste': ['Pasted here', '直接粘贴'],
  'customers.jwksUrl': ['Address of the keys', '公钥网址'],
  'customers.hint.jwksUrl': [
    'A JWKS at a public https address. It is read now, and then every ten minutes.',
    '可公开访问的 https JWKS 网址。保存时读取一次，之后每十分钟读取一次。',
  ],
  'customers.jwks': ['Key set (JWKS)', '公钥集合（JWKS）'],
  'customers.hint.jwks': [
    'Public keys only, such as {"keys":[…]}. Paste the whole set again for each change.',
    '仅限公钥，例如 {"keys":[…]}。每次修改都需重新粘贴完整集合。',
  ],
  'customers.wrong.jwks': ['Paste a JSON object with a list “keys”.', '请粘贴包含 “keys” 列表的 JSON 对象。'],
  'customers.wrong.private': [
    'This holds a private key. It was not sent. Paste public keys only, and replace this key if others may have seen it.',
    '内容包含私钥，未发送。请仅粘贴公钥；如该私钥可能已泄露，请立即更换。',
  ],
  'customers.signInUrl': ['Sign-in page of your shop (optional)', '商城登录页（选填）'],
  'customers.hint.signInUrl': [
    'Shoppers who sign in are sent there, with the way back in “return”. Staff sign in as before.',
    '顾客登录时跳转到该页，返回地址在 return 参数中。员工登录方式不变。',
  ],
  'customers.wrong.address': ['Enter an https address.', '请输入 https 网址。'],
  'customers.unusable': ['These keys can’t be used: {why}', '无法使用这些公钥：{why}'],
  'customers.replaces': ['Replaces the entry “{name}”.', '将覆盖条目“{name}”。'],
  'customers.save': ['Save issuer', '保存签发方'],
  'customers.change': ['Change', '修改'],
  'customers.changeOf': ['Change “{name}”', '修改“{name}”'],
  'customers.remove': ['Remove', '移除'],
  'customers.removeOf': ['Remove “{name}”', '移除“{name}”'],
  'customers.saveAsk': ['Take tokens of {issuer}?', '接受 {issuer} 签发的令牌？'],
  'customers.effect.keys': [
    'Whoever holds one of its private keys can sign in as any of its customers.',
    '持有其任一私钥者，可以其任意顾客的身份登录。',
  ],
  'customers.effect.signIn': ['“Sign in” leads shoppers to {address}.', '顾客点击“登录”将跳转至 {address}。'],
  'customers.removeAsk': ['Take no tokens of “{name}” any more?', '不再接受“{name}”签发的令牌？'],
  'customers.effect.remove': [
    'Within 2 seconds all its customers are signed out. Their orders stay.',
    '2 秒内其所有顾客将退出登录，订单保留。',
  ],
  'customers.saved': [
    'The issuer “{name}” is saved. In force everywhere within 2 seconds.',
    '签发方“{name}”已保存，2 秒内生效。',
  ],
  'customers.removed': [
    'The issuer “{name}” is removed. In force everywhere within 2 seconds.',
    '签发方“{name}”已移除，2 秒内生效。',
  ],
  'customers.ids': ['Customer IDs', '顾客 ID'],
  'customers.keys': ['Keys', '公钥'],
  'customers.until': ['replaced, good until {time}', '已更换，有效至 {time}'],
  'customers.signInPage': ['Sign-in page', '登录页'],
  'customers.signInHere': ['No page of its own', '未设置'],
  'customers.savedAt': ['Saved', '保存时间'],
  'customers.checkedAt': ['Keys last read', '最近读取公钥'],
  'customers.failing': [
    'The keys can’t be read since {time}: the address {why}. The keys above stay good.',
    '自 {time} 起无法读取公钥：{why}。上述公钥仍然有效。',
  ],
} as const satisfies Messages
