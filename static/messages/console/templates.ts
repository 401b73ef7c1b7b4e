/** Words of the console for templates of sales. */
import type { Messages } from '../text.ts'

export const templateMessages = {
  'do.template': ['Save as template', '存为模板'],
  'template.title': ['Save as template', '存为模板'],
  'template.about': [
    'Keeps the settings of “{title}” for new sales. Its times move to the next possible days then; orders are not copied.',
    '保存“{title}”的设置，供新建活动时使用。使用时，活动时间会顺延到最近的可用日期；不会复制订单。',
  ],
  'template.name': ['Name of the template', '模板名称'],
  'template.hint': ['Up to {n} characters.', '最多 {n} 个字符。'],
  'template.wrong': ['Enter a name of up to {n} characters.', '请输入不超过 {n} 个字符的名称。'],
  'template.replaces': [
    'Replaces the template “{name}”, saved {time}.',
    '将覆盖 {time} 保存的模板“{name}”。',
  ],
  'template.save': ['Save template', '保存模板'],
  'template.replace': ['Replace template', '覆盖模板'],
  'template.saved': ['The template “{name}” is saved.', '模板“{name}”已保存。'],
  'template.use': ['New sale from this template', '用此模板新建活动'],
  'template.back': ['Back to the sale', '返回活动'],
  'startFrom.label': ['Start from', '创建方式'],
  'startFrom.hint': [
    'A template or an earlier sale fills in the form below.',
    '可选择模板或历史活动，自动填写下方表单。',
  ],
  'startFrom.empty': ['Empty form', '空白表单'],
  'startFrom.templates': ['Templates', '模板'],
  'startFrom.sales': ['Recent sales', '近期活动'],
  'startFrom.delete': ['Delete this template', '删除此模板'],
  'startFrom.deleteTitle': ['Delete the template “{name}”?', '删除模板“{name}”？'],
  'startFrom.deleteText': ['Sales that were made from it stay as they are.', '由它创建的活动不受影响。'],
  'startFrom.keep': ['Keep it', '保留'],
  'startFrom.unreadable': [
    'The template “{name}” was saved by another version and can’t be used any more. Delete it, or save it again from a sale.',
    '模板“{name}”由其他版本保存，已无法使用。请删除，或从活动重新保存。',
  ],
  'startFrom.missing': ['There is no template “{name}”.', '没有名为“{name}”的模板。'],
  'audit.what.save-template': ['Template saved', '保存模板'],
  'audit.what.delete-template': ['Template deleted', '删除模板'],
  'audit.field.template': ['Template', '模板'],
} as const satisfies Messages
