#!lua flags=allow-key-locking
--[[
  reserve: book units of a sale for one order, once.

  KEYS[1] stock:{<sale>:0}           hash   kind, flag, frozen, opensAt, closesAt, hasNext, startToken,
                                            maxPerOrder, limitPerShopper, maxTries, windowMs, invitedOnly,
                                            variants, total, booked, heldBack, heldFinal, stockRevision;
                                            total:<id>, booked:<id> and heldBack:<id> of each variant;
                                            shopper:<id> -> the shopper's record
  KEYS[2] stock:{<sale>:0}:outbox    hash   order -> order message as JSON
  KEYS[3] stock:{<sale>:0}:packets   list   red packets as JSON, the next one last; only for a claim
  ARGV[1] shopper id
  ARGV[2] order                      the order id without its sale prefix
  ARGV[3] quantity                   units to book
  ARGV[4] now                        epoch ms
  ARGV[5] start token                that the page has sent
  ARGV[6] order message              as JSON
  ARGV[7] variant                    id of the variant of all units, empty without one
  ARGV[8] by gate                    1 for a request from the gate, which has checked the list of invited shoppers

  Reply {code, total, booked, stockRevision, heldBack, totalOfVariant, bookedOfVariant, heldBackOfVariant, ...}: the
  counters after the call, of the sale and of the variant; heldBack are the units that may go back on sale.
    1 reserved           {packet}, for a claim
    2 repeat             {quantity, variant, packet, entry}: the units of the order, 0 once they were returned, their
                         variant and packet, and the entry of the outbox, which is removed once the order is in the table
                         or its message was dead-lettered or given up
   10 unknown-sale       without counters
   11 not-started
   12 paused
   13 ended
   14 stale-page         another start token, or a claim in a sale without packets, or the reverse
   15 invalid-request    {field} is wrong: `quantity` is 0 or over the sale's maximum, `variant` is missing, unknown,
                         or named where the sale has none
   16 limit-reached      the shopper would exceed the sale's limit, or has 30 ended orders of the sale
   17 sold-out
   18 unavailable        the stock is frozen, or too few units are left while held-back units may be for
                         sale again, or the packets are not loaded yet
   19 too-many-requests  {waitMs}: the shopper may try again after that time, ms
   20 invitation-required  only invited shoppers may buy, and the request did not come through the gate

  The 0 in the keys is the number of the shard: a split stock has more. The `total` of an unlimited stock is 10^12.

  The last unit has one buyer: Redis runs nothing else beside a script
  (https://redis.io/docs/latest/develop/programmability/eval-intro/), and Upstash, by the flag above,
  nothing on the same keys (https://upstash.com/docs/redis/commands/scripting/eval). No unit is booked
  before every check has passed.

  A record is {"orders": {"<order>": {"units": 1, "at": 1790000000000, "variant": "m"}}, "tries": [at]}. The order of
  a red packet has "packet": {"number": 0, "amount": 520, "currency": "CNY"}, and so has its message.
  An order whose units were returned stays with 0 units, so that a repeat of its request finds it and books
  nothing. A shopper with 30 such orders can buy no more, which bounds the record. A try counts if it books
  units, or if it is rejected with 15 or 16 for a quantity of at least 1; `tries` are the times of rejected ones.

  Units that are held back (unfreeze.lua) are booked. They do not make a sale sold out until `heldFinal` is set,
  when only dead letters hold them.
]]
local shopper, order, quantity, now, variant = 'shopper:' .. ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[7]

-- One command reads everything. Each step below unpacks its group: whether the sale is open (1 to 7), the tries (8, 9),
-- the limits (10 to 13), the counters (14 to 21) and the shopper's record (22).
local read = redis.call('HMGET', KEYS[1],
  'kind', 'flag', 'frozen', 'opensAt', 'closesAt', 'hasNext', 'startToken',
  'maxTries', 'windowMs',
  'maxPerOrder', 'limitPerShopper', 'variants', 'invitedOnly',
  'total', 'booked', 'stockRevision', 'heldBack', 'heldFinal', 'total:' .. variant, 'booked:' .. variant, 'heldBack:' .. variant,
  shopper)

-- Counters: once `heldFinal`, held-back units stay booked and no longer count as held back.
local total, booked, stockRevision, heldBack, heldFinal, totalOfVariant, bookedOfVariant, heldBackOfVariant = unpack(read, 14, 21)
if not total then return {10} end
local isFinal = heldFinal == '1'
heldBack = isFinal and 0 or tonumber(heldBack or 0)
heldBackOfVariant = isFinal and 0 or tonumber(heldBackOfVariant or 0)
local function answer(code, ...)
  return {code, total, booked, stockRevision, heldBack, totalOfVariant, bookedOfVariant, heldBackOfVariant, ...}
end

-- Repeat: an existing order is found before any other check, so that a shopper whose reply was lost can retry. The
-- message may have been lost with the reply.
local record = read[22] and cjson.decode(read[22])
local known = record and record.orders[order]
if known then
  local entry = known.units > 0 and redis.call('HGET', KEYS[2], order)
  return answer(2, known.units, known.variant or false, known.packet and cjson.encode(known.packet) or false, entry)
end

-- Open: the flag, the window and the start token.
do
  local kind, flag, frozen, opensAt, closesAt, hasNext, startToken = unpack(read, 1, 7)
  local isOver = now >= tonumber(closesAt)
  if frozen then return answer(18) end
  if flag == 'closed' or isOver and hasNext ~= '1' then return answer(13) end
  if flag == 'paused' then return answer(12) end
  if flag == 'off' or isOver or now < tonumber(opensAt) then return answer(11) end
  if startToken == '' or startToken ~= ARGV[5] or (kind == 'red-packet') ~= (KEYS[3] ~= nil) then return answer(14) end
end
if quantity < 1 then return answer(15, 'quantity') end

-- Tries: `now` never goes behind the latest time of the record, so that no period of `windowMs` has more than `maxTries` tries.
local owned, ended, refused = 0, 0, {}
if record then
  local maxTries, windowMs = unpack(read, 8, 9)
  local times = {unpack(record.tries or {})}
  for _, held in pairs(record.orders) do
    times[#times + 1] = held.at
    owned = owned + held.units
    if held.units == 0 then ended = ended + 1 end
  end
  table.sort(times)
  now = math.max(now, times[#times] or 0)
  local oldest = times[#times - maxTries + 1]
  if oldest and now - oldest < tonumber(windowMs) then return answer(19, oldest + windowMs - now) end
  for _, time in ipairs(record.tries or {}) do
    if now - time < tonumber(windowMs) then refused[#refused + 1] = time end
  end
end

-- Limit: the request, and the units of all orders of the shopper.
local maxPerOrder, limitPerShopper, variants, invitedOnly = unpack(read, 10, 13)
local invalid = not totalOfVariant and (variants or variant ~= '') and 'variant' or quantity > tonumber(maxPerOrder) and 'quantity'
if invalid or owned + quantity > tonumber(limitPerShopper) or ended >= 30 then
  refused[#refused + 1] = now
  redis.call('HSET', KEYS[1], shopper, cjson.encode({orders = record and record.orders or {}, tries = refused}))
  if invalid then return answer(15, invalid) end
  return answer(16)
end

-- Invitation: only the gate reads the list of a sale by invitation (N3).
if invitedOnly == '1' and ARGV[8] ~= '1' then return answer(20) end

-- Stock: of the variant and of the whole sale. A variant that is definitely sold out is reported first.
local isShort, isVariantShort = total - booked < quantity, totalOfVariant and totalOfVariant - bookedOfVariant < quantity
if isVariantShort and heldBackOfVariant == 0 then return answer(17) end
if isVariantShort or isShort and heldBack > 0 then return answer(18) end
if isShort then return answer(17) end

-- Book: the units, the packet, the record and the message, in one step.
local packet = KEYS[3] and redis.call('RPOP', KEYS[3])
if KEYS[3] and not packet then return answer(18) end
local orders, message = record and record.orders or {}, ARGV[6]
orders[order] = {units = quantity, at = now, variant = totalOfVariant and variant or nil}
if packet then
  orders[order].packet = cjson.decode(packet)
  -- Spliced into the text, so that the rest of the message stays as it was sent.
  message = string.sub(message, 1, -2) .. ',"packet":' .. packet .. '}'
end
record = cjson.encode({orders = orders, tries = refused[1] and refused or nil})
booked = booked + quantity
if totalOfVariant then
  bookedOfVariant = bookedOfVariant + quantity
  redis.call('HSET', KEYS[1], shopper, record, 'booked', booked, 'booked:' .. variant, bookedOfVariant)
else
  redis.call('HSET', KEYS[1], shopper, record, 'booked', booked)
end
redis.call('HSET', KEYS[2], order, message)
return answer(1, packet)
