/** Words of the console for how a sale is now, reminders, the list for early access and invitations, loaded with the page of a sale. */
import type { Messages } from '../text.ts'

export const reachMessages = {
  'overview.offer': ['On sale', '售卖内容'],
  'pace.waiting': ['People waiting', '等待人数'],
  'pace.waitingHint': [
    'An estimate: asked in the last 10 s to try again, or being decided.',
    '估算值：最近 10 秒内被提示稍后再试，或正在处理。',
  ],
  'reach.remindersAsked': [
    '{asked} {asked|person|people} asked to be reminded of the start.',
    '{asked} 人设置了开售提醒。',
  ],
  'reach.remindersSent': [
    'Reminders: {asked} asked for, {sent} sent, {opened} followed the link while signed in.',
    '开售提醒：{asked} 人设置，已发送 {sent} 封，{opened} 人登录后点击了链接。',
  ],
  'reach.returns': [
    'Units that come back: {asked} {asked|person|people} asked, {sent} e-mailed, {opened} followed the link while signed in.',
    '到货提醒：{asked} 人设置，已发送 {sent} 封，{opened} 人登录后点击了链接。',
  ],
  'reach.crowd': [
    'Expected: {from} to {to} shoppers, as reminders and former sales of this shop suggest.',
    '预计 {from}–{to} 位用户到场（根据开售提醒和本店往期活动估算）。',
  ],
  'reach.crowdCame': [
    'Expected: {from} to {to} shoppers. In the first ten minutes {came} {came|request|requests} came.',
    '预计 {from}–{to} 位用户到场，开始后十分钟内实际收到 {came} 次请求。',
  ],
  'invitations.count': [
    '{issued} {issued|invitation|invitations}, {redeemed} redeemed.',
    '已生成 {issued} 个邀请码，已使用 {redeemed} 个。',
  ],
  'invitations.number': ['Number of invitations', '邀请码数量'],
  'invitations.hint': [
    'Each code puts one shopper on the list. Keep the file: the codes and links in it can’t be shown again.',
    '每个邀请码可将一位用户加入名单。请妥善保存文件，其中的邀请码和链接无法再次查看。',
  ],
  'invitations.wrong': ['Enter a whole number from 1 to {most}.', '请输入 1 至 {most} 之间的整数。'],
  'invitations.make': ['Make invitations', '生成邀请码'],
  'invitations.done': [
    '{n} {n|invitation|invitations} made, and saved in the file.',
    '已生成 {n} 个邀请码并保存到文件。',
  ],
  'early.title': ['Early access list', '优先购名单'],
  'early.text': ['Shoppers who may buy before everyone else.', '名单内的用户可先于其他人购买。'],
  'early.count': ['{n} {n|shopper|shoppers} on the list.', '名单共 {n} 人。'],
  'early.file': ['CSV file', 'CSV 文件'],
  'early.fileHint': [
    'A CSV file with the column shopperId. You see what it does before anything changes. A level comes with a shopper’s sign-in or with your shop’s token; a place on this list counts like a level that is high enough.',
    'CSV 文件，需包含列 shopperId。确认之前不会作任何更改。会员等级来自用户的登录信息或商城签发的令牌；列入名单即视同达到所需等级。',
  ],
  'early.check.add': ['Check and add…', '检查并添加…'],
  'early.check.remove': ['Check and remove…', '检查并移出…'],
  'early.busy': ['Done: {done} of {total}', '已处理 {done} / {total}'],
  'early.ready.add': [
    'To add: {n}. Already on the list: {same}. Can’t be imported: {wrong}.',
    '待添加：{n}，已在名单：{same}，无法导入：{wrong}。',
  ],
  'early.ready.remove': [
    'To remove: {n}. Not on the list: {same}. Can’t be imported: {wrong}.',
    '待移出：{n}，不在名单：{same}，无法导入：{wrong}。',
  ],
  'early.do.add': ['Add {n} {n|shopper|shoppers}', '添加 {n} 人'],
  'early.do.remove': ['Remove {n} {n|shopper|shoppers}', '移出 {n} 人'],
  'early.done.add': ['Added {n} {n|shopper|shoppers}.', '已添加 {n} 人。'],
  'early.done.remove': ['Removed {n} {n|shopper|shoppers}.', '已移出 {n} 人。'],
  'early.line.invalid': ['Not a shopper ID', '不是有效的用户 ID'],
  'early.line.duplicate': ['The shopper appears twice in the file', '该用户在文件中重复出现'],
} as const satisfies Messages
