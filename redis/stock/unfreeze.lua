#!lua flags=allow-key-locking
--[[
  unfreeze: unfreeze a stock after its orders were restored, and set its units and its definition.

  KEYS[1] stock:{<sale>:0}    hash   total, booked, stockRevision, change, heldBack, heldSince, quietSince,
                                     heldFinal, frozen, moves, generation; version; the other fields of the
                                     definition; variants; of each variant total:<id>, booked:<id>,
                                     heldBack:<id>
  ARGV[1] total               units of the sale
  ARGV[2] version             of the definition that follows
  ARGV[3] definition          fields and values as JSON (stock-definition.ts)
  ARGV[4] last change         number of the last stock change that total includes, 0 for none
  ARGV[5] variants            [{"id", "units"}], which add up to total; [] for a sale without variants
  ARGV[6] stockRevision       the latest revision of the stock that the gate knows
  ARGV[7] held back           maximum of units of reservations that may still be on their way to the
                              table
  ARGV[8] held since          epoch ms; they may include reservations from before then
  ARGV[9] generation          of a shard of a split stock, 0 for any other stock

  Reply {code, total, booked, stockRevision}
    1 unfrozen          the new counters
    2 open              it was not frozen any more, or another recovery has frozen it: the current
                        counters
    3 superseded        Redis has a newer version: nothing changed, the stock is still frozen
   10 unknown-sale      the stock is missing; no counters

  Held-back units are booked and belong to no order, so that they are not sold. restore.lua uses them for
  arriving orders, and release-held-back.lua releases those of orders that can no longer arrive. They never
  exceed the units left. The variants of the missing orders are unknown, so each variant holds back as many, if
  it has them.

  A recovered stock has a new revision, later than any that sold out, so the gate accepts it.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'booked', 'stockRevision', 'version', 'frozen', 'generation')
local total, booked, stockRevision = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
if not total then return {10} end
local isOurs = tonumber(stored[6] or '0') == tonumber(ARGV[9])
if not stored[5] or not isOurs then return {2, total, booked, stockRevision} end
if tonumber(ARGV[2]) < tonumber(stored[4]) then return {3, total, booked, stockRevision} end

local fields = {}
local function set(field, value)
  fields[#fields + 1] = field
  fields[#fields + 1] = value
end
stockRevision = math.max(stockRevision, tonumber(ARGV[6])) + 1
local heldBack = math.max(0, math.min(tonumber(ARGV[7]), ARGV[1] - booked))
booked = booked + heldBack
for field, value in pairs(cjson.decode(ARGV[3])) do set(field, value) end
set('total', ARGV[1])
set('booked', booked)
set('stockRevision', stockRevision)
set('heldBack', heldBack)
set('heldSince', ARGV[8])
set('change', ARGV[4])
local ids = {}
for at, variant in ipairs(cjson.decode(ARGV[5])) do
  local id = variant.id
  local bookedOf = tonumber(redis.call('HGET', KEYS[1], 'booked:' .. id) or '0')
  local held = math.max(0, math.min(tonumber(ARGV[7]), variant.units - bookedOf))
  ids[at] = id
  set('total:' .. id, variant.units)
  set('booked:' .. id, bookedOf + held)
  set('heldBack:' .. id, held)
end
if ids[1] then set('variants', cjson.encode(ids)) end
redis.call('HSET', KEYS[1], unpack(fields))
redis.call('HDEL', KEYS[1], 'quietSince', 'heldFinal', 'frozen', 'moves')
return {1, tonumber(ARGV[1]), booked, stockRevision}
