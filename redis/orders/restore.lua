#!lua flags=allow-key-locking
--[[
  restore: make Redis agree with the table about orders.

  KEYS[1] stock:{<sale>:0}           hash   total, booked, stockRevision, heldBack, heldSince, frozen, moves;
                                            total:<id>, booked:<id> and heldBack:<id> of each variant;
                                            shopper:<id> -> the shopper's record, as in reserve.lua
  KEYS[2] stock:{<sale>:0}:outbox    hash   order -> order message
  KEYS[3] stock:{<sale>:0}:packets   list   red packets as JSON, the next one last
  KEYS[4] stock:{<sale>:0}:held      hash   number -> held-back packet as JSON
  ARGV[1] orders                     at most 200 {"order", "shopper", "units", "at", "variant", "packet"},
                                     as JSON; an order without units has 0

  Reply {code, orders, total, booked, stockRevision}
    1 restored          the number of corrected orders; the counters afterwards
   10 unknown-sale      the stock is missing; no counters

  An order with units is added to the record of its shopper and its units are booked, unless the record has it
  with the same units. A Redis that was rolled back may have other units, because it decided the request again.
  An order without units is released as by release.lua, and stays in the record.

  An order from before `heldSince` uses held-back units, so `booked` stays the same. That also applies to its
  variant: each variant holds back its own units.

  A red packet is removed from the held-back ones, or else from the list. A shopper whose message had not
  arrived when Redis was lost may have claimed another packet under the same order; that packet is the next to
  be claimed.

  A quantity of 0 in the record is final and takes precedence, because the orders may have been read before
  the release.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'booked', 'stockRevision', 'heldBack', 'heldSince', 'frozen')
local total, booked, stockRevision = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
if not total then return {10} end
local heldBack, heldSince = tonumber(stored[4] or '0'), tonumber(stored[5] or '0')

local lines, shoppers, records = cjson.decode(ARGV[1]), {}, {}
if #lines == 0 then return {1, 0, total, booked, stockRevision} end
for at, line in ipairs(lines) do shoppers[at] = 'shopper:' .. line.shopper end
for at, record in ipairs(redis.call('HMGET', KEYS[1], unpack(shoppers))) do
  records[shoppers[at]] = records[shoppers[at]] or record and cjson.decode(record) or {orders = {}}
end
-- Removes the packet. True when it was held back.
local function takePacket(number)
  if redis.call('HDEL', KEYS[4], string.format('%.0f', number)) == 1 then return true end
  for _, text in ipairs(redis.call('LRANGE', KEYS[3], 0, -1)) do
    if cjson.decode(text).number == number then redis.call('LREM', KEYS[3], 1, text) end
  end
end
local moved, arrivedOf = {}, {}
local function move(units, variant, quantity)
  if variant then units[variant] = (units[variant] or 0) + quantity end
end
-- An order may be listed twice, so each line sees the effect of the lines before it.
local before, arrived, count, corrected, changed, ended = booked, 0, 0, {}, {}, {}
for at, line in ipairs(lines) do
  local all = records[shoppers[at]].orders
  local held = all[line.order]
  local isFinal = held and held.units == 0
  local packet, has = line.packet, held and held.packet
  local isSamePacket = (packet and packet.number) == (has and has.number)
  if not isFinal and not (held and held.units == line.units and held.variant == line.variant and isSamePacket) then
    local owned = held or {units = 0}
    booked = booked - owned.units + line.units
    move(moved, owned.variant, -owned.units)
    move(moved, line.variant, line.units)
    if packet then
      if takePacket(packet.number) then arrived = arrived + 1 end
    elseif not held and line.at < heldSince then
      arrived = arrived + line.units
      move(arrivedOf, line.variant, line.units)
    end
    if has then redis.call('RPUSH', KEYS[3], cjson.encode(has)) end
    if held and line.units == 0 then ended[#ended + 1] = line.order end
    all[line.order] = {units = line.units, at = owned.at or line.units > 0 and line.at or nil, variant = line.variant, packet = packet}
    changed[shoppers[at]] = true
    if not corrected[line.order] then corrected[line.order], count = true, count + 1 end
  end
end
if count == 0 then return {1, 0, total, booked, stockRevision} end

local fields = {}
for shopper in pairs(changed) do
  fields[#fields + 1] = shopper
  fields[#fields + 1] = cjson.encode(records[shopper])
end
redis.call('HSET', KEYS[1], unpack(fields))
if #ended > 0 then redis.call('HDEL', KEYS[2], unpack(ended)) end
arrived = math.min(arrived, heldBack)
booked = booked - arrived
redis.call('HSET', KEYS[1], 'booked', booked, 'heldBack', heldBack - arrived)
local isRestock = total - before <= 0 and total - booked > 0
for id, units in pairs(moved) do
  local counters = redis.call('HMGET', KEYS[1], 'total:' .. id, 'booked:' .. id, 'heldBack:' .. id)
  local left, held = (counters[1] or 0) - (counters[2] or 0), tonumber(counters[3] or '0')
  local found = math.min(arrivedOf[id] or 0, held)
  redis.call('HSET', KEYS[1], 'booked:' .. id, (counters[2] or 0) + units - found, 'heldBack:' .. id, held - found)
  if left <= 0 and left - units + found > 0 then isRestock = true end
end
if isRestock then stockRevision = redis.call('HINCRBY', KEYS[1], 'stockRevision', 1) end
if stored[6] then redis.call('HINCRBY', KEYS[1], 'moves', 1) end
return {1, count, total, booked, stockRevision}
