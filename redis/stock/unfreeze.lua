#!lua flags=allow-key-locking
--[[
  unfreeze: unfreeze a stock whose orders are correct again, and set its units and its definition.

  KEYS[1] stock:{<sale>:0}    hash   total, left, stockRevision, change, heldBack, heldSince,
                                     quietSince, settled; flag, epoch, startToken, startsAt, endsAt, limit,
                                     max, version, packedWindow, tag, generation, variants; of each
                                     variant total/<id>, left/<id>, heldBack/<id>
  ARGV[1] total               units of the sale
  ARGV[2] version             of the definition that follows
  ARGV[3] flag                off, on, paused or closed
  ARGV[4] epoch
  ARGV[5] start token         empty until the sale is first started
  ARGV[6] starts at           epoch ms
  ARGV[7] ends at             epoch ms
  ARGV[8] limit per shopper
  ARGV[9] max per order
  ARGV[10] packedWindow       all of the above and the throttle of one shopper, packed for
                                     reserve.lua
  ARGV[11] last change        number of the last stock change that total contains, 0 for none
  ARGV[12] stockRevision      the latest revision of the stock that the gate knows
  ARGV[13] held back          units at most, of reservations that may still be on their way to the
                              table; empty keeps what is held back already, as load-packets.lua
                              does it
  ARGV[14] held since         epoch ms; reservations from before then may be among them
  ARGV[15] tag                a new one
  ARGV[16] generation         of a shard of a split stock, 0 for any other stock
  ARGV[17] variants           `<id>*<units>+<id>*<units>`, which are total together; absent for a
                              sale without variants

  Reply {code, total, left, stockRevision}
    1 unfrozen          the counters now in force
    2 open              it was not frozen any more, or another recovery has frozen it since: the
                        counters as they are
    3 superseded        a newer version is there: nothing changed, the stock is still frozen
   10 unknown-sale      the stock is missing; no counters

  Units held back belong to no order, so that they are not sold. restore.lua takes the units
  of an arriving order from them, and release-held-back.lua sells those that can no longer arrive.
  They never exceed what is left. The variants of the missing orders are not known, so each
  variant holds as many back, as far as it has them.

  A recovered stock is a new revision, later than any that sold out, so the gate accepts it.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'left', 'stockRevision', 'version', 'packedWindow', 'heldBack',
  'generation')
local total, left, stockRevision = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
if not total then return {10} end
local isOurs = tonumber(stored[7] or '0') == tonumber(ARGV[16])
if string.sub(stored[5], 32, 38) ~= '!frozen' or not isOurs then return {2, total, left, stockRevision} end
if tonumber(ARGV[2]) < tonumber(stored[4]) then return {3, total, left, stockRevision} end

stockRevision = math.max(stockRevision, tonumber(ARGV[12])) + 1
left = ARGV[1] - (total - left)
local heldBack = tonumber(stored[6] or '0')
if ARGV[13] ~= '' then
  heldBack = math.max(0, math.min(tonumber(ARGV[13]), left))
  left = left - heldBack
end
redis.call('HDEL', KEYS[1], 'quietSince', 'settled')
redis.call('HSET', KEYS[1], 'total', ARGV[1], 'left', left, 'stockRevision', stockRevision,
  'heldBack', heldBack, 'heldSince', ARGV[14], 'change', ARGV[11], 'version', ARGV[2],
  'flag', ARGV[3], 'epoch', ARGV[4], 'startToken', ARGV[5], 'startsAt', ARGV[6], 'endsAt', ARGV[7],
  'limit', ARGV[8], 'max', ARGV[9], 'packedWindow', ARGV[10], 'tag', ARGV[15])
local ids = {}
for id, units in string.gmatch(ARGV[17] or '', '([^*+]+)%*(%d+)') do
  ids[#ids + 1] = id
  local counters = redis.call('HMGET', KEYS[1], 'total/' .. id, 'left/' .. id)
  local leftOf = units - (tonumber(counters[1] or '0') - tonumber(counters[2] or '0'))
  local held = math.max(0, math.min(tonumber(ARGV[13]) or 0, leftOf))
  redis.call('HSET', KEYS[1], 'total/' .. id, units, 'left/' .. id, leftOf - held, 'heldBack/' .. id, held)
end
if ids[1] then redis.call('HSET', KEYS[1], 'variants', table.concat(ids, ' ')) end
return {1, tonumber(ARGV[1]), left, stockRevision}
