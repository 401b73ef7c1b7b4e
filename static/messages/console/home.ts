/** Words of the console for the sales of now and of the day around it, above the list. */
import type { Messages } from '../text.ts'

export const homeMessages = {
  'home.title': ['Now and within a day', '当前与前后 24 小时'],
  'home.waiting': ['Requests under way', '处理中的请求'],
  'home.opens': ['Opens', '开始时间'],
  'home.more': ['{n} more {n|sale|sales}: show them all', '还有 {n} 场活动，查看全部'],
  'alert.unknown': [
    'Its stock isn’t responding or is being rebuilt, so the number left is unknown. Open it to see what to do.',
    '库存服务无响应或正在重建，剩余数量未知。请打开该活动查看处理办法。',
  ],
  'alert.database': [
    'Its stock database {names} isn’t responding, so it sells nothing. Check the database at its provider.',
    '库存数据库 {names} 无响应，活动暂时无法售卖。请到数据库服务商处检查。',
  ],
  'alert.paused': [
    'Paused since {time}, and its selling time goes on. Resume or close it.',
    '自 {time} 起已暂停，售卖时间仍在流逝。请恢复或关闭。',
  ],
  'alert.dead': [
    'Some of its messages failed and were sent again at {time}. Look at its orders. If this repeats, remove the cause.',
    '部分消息处理失败，已于 {time} 重新发送。请查看订单，若反复出现须排除原因。',
  ],
  'alert.waiting': [
    '{n} {n|order|orders} not written for more than two minutes. Buyers keep their units. Check the order queue and its writer.',
    '{n} 笔订单等待写入超过两分钟，已抢到的库存会保留。请检查订单队列和订单写入。',
  ],
  'alert.given-up': [
    '{n} {n|order|orders} could never be written, and the units are for sale again. Find out why, and write to these shoppers.',
    '{n} 笔订单最终未能写入，库存已重新开放售卖。请查明原因并告知相关用户。',
  ],
  'alert.drift': [
    '{n} {n|unit|units} of its stock don’t match its orders. The repair compares them every minute. If this stays, check it.',
    '库存与订单相差 {n}，系统每分钟自动核对修复。若持续存在，请检查。',
  ],
  'alert.rebuilding': [
    'Its stock was lost and isn’t rebuilt yet: it sells nothing until then.',
    '库存数据丢失，尚未重建完成，期间无法售卖。',
  ],
  'alert.unrepaired': [
    'The repair that runs every minute fails at this sale. Read the errors in its log.',
    '每分钟巡检修复在处理该活动时失败，请查看日志中的错误。',
  ],
  'alert.unpaid': [
    '{n} % of its payments failed in the last ten minutes. Check the payment provider, and pay for an order to try it.',
    '最近十分钟内 {n}% 的付款失败。请检查支付渠道，并试付一笔订单。',
  ],
  'alert.more': ['{n} more {n|alert|alerts}: see the health of the system', '还有 {n} 条警报，查看系统状态'],
  'alert.local': [
    'Each line ends with its entry in the documentation. On one machine, follow “Rehearse” there.',
    '每行末尾为文档中的对应条目，本机运行时请按其中的“Rehearse”操作。',
  ],
} as const satisfies Messages
