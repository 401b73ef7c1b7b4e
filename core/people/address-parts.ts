/** The parts of an address without its country, each a text; `addressLines` has one to three. */
export const addressParts = [
  'name',
  'organization',
  'addressLines',
  'dependentLocality',
  'locality',
  'administrativeArea',
  'postalCode',
] as const
export type AddressPart = (typeof addressParts)[number]

/** Maximum lines of an address, such as a street and a flat. */
export const maxAddressLines = 3
