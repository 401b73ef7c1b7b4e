/**
 * The roles of staff in the console and the control API. A marketer may do everything, support finds, resends and refunds
 * orders, a viewer reads numbers and reports. Shoppers have no role. The most powerful role is first.
 */
export const roles = ['marketer', 'support', 'viewer'] as const

export type Role = (typeof roles)[number]

/** Returns the known roles among the names in a token or header, without duplicates. */
export function rolesAmong(names: readonly string[]): Role[] {
  return roles.filter((role) => names.includes(role))
}

/** Returns the sentence for a caller who has none of the roles that a call needs. */
export function roleDetail(needed: readonly Role[]): string {
  return `This needs the role ${needed.join(' or ')}.`
}
