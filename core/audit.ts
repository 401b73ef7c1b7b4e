import { optionAuditActions } from './options.ts'

/** The actions in the audit log. The console has a text for each of them in every language. */
export const auditActions = [
  'create',
  'edit',
  'warm',
  'start',
  'pause',
  'resume',
  'close',
  'delete',
  'archive',
  'stock',
  'reserve',
  'next-window',
  'open',
  'return',
  'recover',
  'reconcile',
  'redrive',
  'rotate-pass-keys',
  'refund',
  'settle-refund',
  'ship',
  'block',
  'unblock',
  'import-blocks',
  'end-blocks',
  'export-person',
  'erase-person',
  'brand',
  'save-customer-issuer',
  'delete-customer-issuer',
  ...optionAuditActions,
] as const

/** `next-window`: the sale moved to its next window. `open`: the window opened. `return`: unclaimed packet money was returned. */
export type AuditAction = (typeof auditActions)[number]
