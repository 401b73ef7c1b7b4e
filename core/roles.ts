/**
 * What a person may do in the console and at the control API: a marketer everything, support finds, resends and refunds
 * orders, a viewer reads numbers and reports. A shopper has no role. The first is the one that may do most.
 */
export const roles = ['marketer', 'support', 'viewer'] as const

export type Role = (typeof roles)[number]

/** Returns the roles of ours among the names in a token or header, each once. */
export function rolesAmong(names: readonly string[]): Role[] {
  return roles.filter((role) => names.includes(role))
}

/** Returns the sentence for a caller who has none of the roles that a call needs. */
export function roleDetail(needed: readonly Role[]): string {
  return `This needs the role ${needed.join(' or ')}.`
}
