/** Programs that confuse the variants of a sale, which the simulation must detect. */
import { editedScript, type Mutation } from '../../../proof/simulation/mutation.ts'

/** How a cap gets more units, before those of its variants. */
const unitsAdded = 'ADD remaining :delta, sold :none, orders :none'

/** How an order gives its units back to a cap, before those of its variants. */
const unitsGivenBack = 'ADD sold :less, orders :fewer, remaining :quantity'

/** An update of a cap that begins with `expression`, without the rest, which is about its variants. */
const withoutVariants =
  (expression: string, change: (values: Record<string, number>) => object): Mutation['edit'] =>
  (_, request) => {
    const { ExpressionAttributeNames: _names, ExpressionAttributeValues: values, ...rest } = request
    if (!String(request.UpdateExpression).startsWith(expression)) return request
    return { ...rest, UpdateExpression: expression, ...change(values as Record<string, number>) }
  }

export const variantMutations: Readonly<Record<string, Partial<Mutation>>> = {
  'takes the units of a sale and none of the variant (N1)': {
    scripts: editedScript('reserve', "booked, 'booked:' .. variant, bookedOfVariant)", 'booked)'),
  },
  'reserves a variant of which too few are left (N1, I1)': {
    scripts: editedScript('reserve', 'totalOfVariant and totalOfVariant - bookedOfVariant < quantity', 'false'),
  },
  'calls a variant sold out of which there are enough (N1)': {
    scripts: editedScript(
      'reserve',
      'local isShort,',
      "if variant == 's' then bookedOfVariant = totalOfVariant end\nlocal isShort,",
    ),
    found: /read that \w+ is sold out while \d+ of it were left/,
  },
  'answers a repeat with the variant that it asks for (I5)': {
    scripts: editedScript('reserve', 'known.units, known.variant or false', "known.units, variant ~= '' and variant"),
  },
  'returns units to the first variant (N1)': {
    scripts: editedScript(
      'release',
      "'booked:' .. variant, -size)",
      "'booked:' .. cjson.decode(redis.call('HGET', KEYS[1], 'variants'))[1], -size)",
    ),
  },
  'restores an order without its variant (I4)': {
    scripts: editedScript('restore', 'move(moved, line.variant, line.units)', ''),
  },
  'holds nothing back of the variants of a recovered sale (I2)': {
    scripts: editedScript('unfreeze', 'math.max(0, math.min(tonumber(ARGV[7]), variant.units - bookedOf))', '0'),
  },
  'releases the units of a sale that were held back, and not those of its variants (I1)': {
    scripts: editedScript('release-held-back', 'if freed > 0 then', 'if false then'),
  },
  'adds units to a sale and to none of its variants (N1)': {
    scripts: editedScript('add-stock', "'change', ARGV[2], unpack(fields))", "'change', ARGV[2])"),
  },
  'counts the units of a frozen stock without their variants (I4)': {
    scripts: editedScript('recount', 'for id, units in pairs(cjson.decode(ARGV[4])) do counted[id] = units end', ''),
  },
  'sends an order without its variant (N1)': {
    outside: ({ queues, ...outside }) => ({
      ...outside,
      queues: { ...queues, send: ({ variant, ...message }) => queues.send(message) },
    }),
  },
  'writes an order without its variant (N1)': {
    outside: ({ table, ...outside }) => ({
      ...outside,
      table: {
        ...table,
        book: {
          write: (chunk) =>
            table.book.write(chunk.map(({ order: { variant, ...order }, ...entry }) => ({ ...entry, order }))),
        },
      },
    }),
  },
  'does not enforce the cap of a variant (I1)': {
    edit: (_, request) => ({
      ...request,
      ...(request.ConditionExpression && {
        ConditionExpression: request.ConditionExpression.replaceAll(
          /#v(\d+) >= :w\1/g,
          '(#v$1 >= :w$1 OR attribute_exists(pk))',
        ),
      }),
    }),
    found: /^\d+ units? of \w+ more than its stock/,
  },
  'gives the units of an order back to the cap and to none of its variants (I4)': {
    edit: withoutVariants(unitsGivenBack, (values) => ({
      ConditionExpression: 'sold >= :quantity AND orders >= :orders AND attribute_exists(remaining)',
      ExpressionAttributeValues: Object.fromEntries(Object.entries(values).filter(([name]) => !/^:[vw]\d/.test(name))),
    })),
  },
  'adds units to the cap and to none of its variants (I4)': {
    edit: withoutVariants(unitsAdded, ({ ':delta': delta, ':none': none, ':less': less }) => ({
      ConditionExpression: less === undefined ? 'attribute_exists(remaining)' : 'remaining >= :less',
      ExpressionAttributeValues: { ':delta': delta, ':none': none, ...(less !== undefined && { ':less': less }) },
    })),
  },
}
