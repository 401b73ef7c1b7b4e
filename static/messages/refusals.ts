/** Why the console's request was refused: the API's English sentence, and its Chinese. */
import { type RefusalReason, refusalReasons } from '../../core/refusals.ts'
import type { Text } from './text.ts'

const chinese: Readonly<Record<RefusalReason, string>> = {
  'changed-meanwhile': '其他人刚刚修改了该活动，请刷新后重试。',
  'brand-changed': '其他人刚刚修改了品牌设置，请刷新后重试。',
  'stock-busy': '活动库存正在加载或重建，请稍后再试。',
  'stock-lost': '实时库存数据丢失，系统会在一两分钟内按订单重建，请稍后再试。',
  'change-saved': '实时库存数据丢失。您的修改已保存，将在重建完成后（一两分钟内）生效。',
  'id-taken': '该活动 ID 已被使用，且不可重复使用。',
  'unknown-order': '未找到该订单。',
  'nothing-to-refund': '订单状态为“{status}”，无需退款。',
  'no-returned-refund': '该订单没有被银行退回的退款，无需处理。',
  'coupon-redeemed': '该订单有优惠券已核销，无法取消。',
  'coupon-void': '该券所属订单已取消，券码作废。',
  'coupon-not-yet': '该券自 {at} 起可用。',
  'coupon-expired': '该券已于 {at} 过期。',
  'coupon-used': '该券已于 {at} 核销。',
  'coupon-undone': '该次核销已撤销。如需重新核销，请更换 Idempotency-Key。',
  'coupon-not-redeemed': '没有使用此 Idempotency-Key 的核销记录。',
  'coupon-undo-late': '撤销时限已过（{at}）。',
  'coupon-undo-often': '该券或同一订单中其他券的撤销核销次数过多。',
  'over-refund-limit': '客服在本活动中最多可处理 {limit} 的订单，该订单为 {amount}，请联系运营人员处理。',
  archived: '活动已归档。订单仍可查看、发货和退款，其他内容不再变更。',
  ended: '活动已结束。',
  paused: '活动已暂停，请点击“继续活动”。',
  'not-started': '活动尚未开启，无需暂停。',
  'not-paused': '活动未暂停，请点击“开启活动”。',
  'field-locked': '活动开启后不可修改该字段。',
  'windows-locked': '活动开启后不可修改场次。',
  'first-window-ended': '第一场已结束。',
  'packets-split': '红包已拆分，不可更改。',
  'packets-currency': '红包已按原币种拆分，不可更改币种。',
  'shards-placed': '库存已拆分。只有未预热的活动可以更改数据库数量。',
  'stock-loaded': '库存已加载，请在活动详情页使用“增加 / 减少”调整。',
  'money-returned': '活动已结束，剩余金额将退回。',
  'was-started': '活动已开启过，不能删除，请点击“结束活动”。',
  'key-used': '该请求标识已用于其他修改。',
  'packets-fixed': '红包在开启前已拆分，不可增减。',
  'turnstile-missing': '商店尚未配置 Turnstile 密钥。请选择其他人机验证方式，或联系技术人员添加密钥。',
  'only-goods-shipped': '只有实物商品的订单需要发货。',
  'packets-claimed': '红包由用户自行领取，不能代客下单。',
  'not-yet-published': '活动尚未预热，暂不能下单。',
  'not-published': '活动尚未预热，请直接编辑活动。',
  'variants-loaded': '库存已加载，规格只能修改名称，不能增减或调整顺序。',
  'variant-required': '该活动有多个规格，请选择要调整库存的规格。',
  'variant-unknown': '该活动没有此规格。',
  'stock-unlimited': '库存不限量。',
  'stock-range': '库存须在 0 到 {limit} 之间。',
  'stock-reserved': '最多可减少 {limit} 件，其余已被用户锁定。',
  'stock-differs': '库存与订单暂不一致，系统正在修复，请一分钟后再试。',
  'templates-full': '模板已达 {limit} 个，请删除部分模板，或使用已有名称覆盖。',
  'early-list-full': '优先购名单已满（{limit} 人），请先移出部分用户。',
  'no-early-access': '红包活动不支持优先购。',
  'blocklist-full': '黑名单已满（{limit} 条），请改用 IP 段，或移出部分条目。',
  'table-in-parts': '数据过多，请分批下载：首批使用 ?after=。',
  'unknown-upload': '未找到该上传。上传内容保留一天，请重新选择文件。',
  'picture-type': '该文件不是 JPEG、PNG、WebP 或 AVIF 图片。',
  'picture-active': '该文件含有脚本、网页或可执行的矢量图（SVG），请导出为 JPEG 或 PNG。',
  'picture-animated': '暂不支持动图，请使用静态图片。',
  'picture-size': '图片超过 {pixels} 百万像素，或单边超过 {side} 像素。',
  'picture-bytes': '文件为空，或超过 {megabytes} MB。',
  'picture-broken': '图片不完整或已损坏。',
  'no-coupons': '该活动没有优惠券。',
  'no-packets': '该活动没有红包。',
  'never-started': '活动从未开启，无需重建，请重新预热。',
  'list-incomplete': '订单列表尚未完整，活动保持关闭，请再次重建。',
  'orders-changing': '仍有订单在取消，活动保持关闭，请再次重建。',
}

/** The sentence for a reason that the API gave, in both languages; undefined for an unknown one. */
export function refusalMessage(reason: string): Text | undefined {
  return isReason(reason) ? [refusalReasons[reason], chinese[reason]] : undefined
}

function isReason(reason: string): reason is RefusalReason {
  return Object.hasOwn(refusalReasons, reason)
}
