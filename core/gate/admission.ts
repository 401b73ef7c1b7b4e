/**
 * How many requests may be admitted to the stock (G4, G5). Instances of the gate get admissions in leases. `booked` counts
 * units, `out` counts admissions not yet completed, and no grant raises `booked + out` above the cap. Once every unit is
 * booked nothing is granted, although the cap is higher. An order of several units adds all of them to `booked` and
 * removes one admission from `out`, so the sum may exceed the cap. Then nothing is granted until it falls below the cap.
 */

/** How long an instance of the gate may use a lease, ms. Unused admissions then expire. */
export const leaseLifeMs = 2000

/**
 * An admission of this age, ms, was used or has expired: the life of a lease, the timeout of the function behind the gate
 * (10 s), a second for clock skew, and one for counting in whole seconds.
 */
export const admissionExpiryMs = leaseLifeMs + 10_000 + 2000

/** Returns the cap for `total` units with `ratio` admissions each (at most 3 decimals); -1 for an unlimited stock. */
export function admissionCap(total: number, ratio: number): number {
  return total === -1 ? -1 : Math.ceil((total * thousandthsOf(ratio)) / 1000)
}

/**
 * Returns how many admissions can be granted now, by the rule of admit.lua; -1 for an unlimited stock. `out` counts those
 * not yet completed.
 */
export function admissionsLeft(
  { total, booked, out }: { total: number; booked: number; out: number },
  ratio: number,
): number {
  if (total === -1) return -1
  return booked >= total ? 0 : Math.max(0, admissionCap(total, ratio) - booked - out)
}

/** Returns `ratio` in whole thousandths, as the Lua scripts use it. */
export function thousandthsOf(ratio: number): number {
  return Math.round(ratio * 1000)
}
