/**
 * What a person may do in the console and at the control API: a marketer everything, support finds,
 * resends and refunds orders, a viewer reads numbers and reports. A shopper has no role.
 */
export const roles = ['marketer', 'support', 'viewer'] as const

export type Role = (typeof roles)[number]
