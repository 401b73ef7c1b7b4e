/** Words of the delivery address on the page of an order. */
import type { AddressPart } from '../../core/people/address-parts.ts'
import type { Messages, Text } from './text.ts'

const partMessages = {
  'address.name': ['Full name', '收货人'],
  'address.organization': ['Company', '公司'],
  'address.addressLines': ['Address', '详细地址'],
  'address.dependentLocality': ['District', '区/县'],
  'address.locality': ['City', '城市'],
  'address.administrativeArea': ['State, province or prefecture', '省/州'],
  'address.postalCode': ['Postal code', '邮政编码'],
} as const satisfies Record<`address.${AddressPart}`, Text>

export const addressMessages = {
  ...partMessages,
  'address.title': ['Delivery address', '收货地址'],
  'address.needed': ['We need an address before you pay.', '付款前请填写收货地址。'],
  'address.missing': ['No address is stored.', '暂无收货地址。'],
  'address.add': ['Add address', '填写地址'],
  'address.change': ['Change address', '修改地址'],
  'address.loading': ['Loading the address…', '正在加载地址…'],
  'address.country': ['Country or region', '国家/地区'],
  'address.line': ['Address line {n}', '详细地址（第 {n} 行）'],
  'address.phone': ['Phone', '手机号'],
  'address.phoneHint': ['A number in {country}, for the courier.', '请填写{country}的号码，便于快递员联系。'],
  'address.email': ['Email', '邮箱'],
  'address.emailHint': ['For news about your orders.', '用于接收订单通知。'],
  'address.optional': ['{label} (optional)', '{label}（选填）'],
  'address.save': ['Save', '保存'],
  'address.saveAndPay': ['Save and continue to payment', '保存并去付款'],
  'address.saving': ['Saving…', '正在保存…'],
  'address.notNow': ['Not now', '暂不填写'],
  'address.error.required': ['Fill this in.', '请填写此项。'],
  'address.error.phone': ['Enter a phone number in {country}.', '请输入有效的{country}电话号码。'],
  'address.error.email': [
    'Enter an email address such as name@example.com.',
    '请输入有效的邮箱，如 name@example.com。',
  ],
  'address.error.postalCode': ['Enter a postal code of {country}.', '请输入有效的{country}邮政编码。'],
  'address.error.text': [
    'Use letters and digits on one line, at most 100 characters.',
    '请输入文字或数字，不超过 100 个字符。',
  ],
  'address.failed': ['We couldn’t save the address. Please try again.', '地址保存失败，请重试。'],
  'address.locked': ['The address of this order can no longer change.', '该订单已无法修改收货地址。'],
  'address.loadFailed': ['We couldn’t load the address. Please try again.', '地址加载失败，请重试。'],
  'address.erase': ['Delete address', '删除地址'],
  'address.eraseTitle': ['Delete this address?', '确定删除收货地址？'],
  'address.eraseText': [
    'We delete the name, the address and the phone number of this order. If it isn’t on its way yet, we can’t send it without them.',
    '将删除此订单的收货人、地址和电话。如订单尚未发货，删除后将无法配送。',
  ],
  'address.eraseEmailText': [
    'We keep {email} for e-mails about your orders. Delete it too, and you get no more of them.',
    '邮箱 {email} 用于发送订单通知；一并删除后将不再收到通知邮件。',
  ],
  'address.eraseBoth': ['Delete address and e-mail', '地址和邮箱都删除'],
  'address.keep': ['Keep address', '暂不删除'],
  'address.eraseBeingPaid': [
    'The order is being paid. Cancel it, or delete the address once it is paid.',
    '订单正在付款。请取消订单，或在付款完成后删除地址。',
  ],
  'address.eraseFailed': ['We couldn’t delete the address. Please try again.', '地址删除失败，请重试。'],
} as const satisfies Messages
