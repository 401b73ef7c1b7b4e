#!lua flags=allow-key-locking
--[[
  warm: set a sale's definition in Redis, and create its stock where that is asked for.

  KEYS[1] stock:{<sale>:0}    hash   total, left, stockRevision, change; version, flag, epoch,
                                     startToken, startsAt, endsAt, limit, max, packedWindow, tag;
                                     variants; of each variant total/<id>, left/<id>
  ARGV[1] total               units; used only when there is no stock yet. Empty: a missing stock
                              stays missing
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
  ARGV[12] tag                a new one
  ARGV[13] variants           `<id>*<units>+<id>*<units>`, which are total together; absent for a
                              sale without variants

  Reply {code, version, total, left}    the version and the counters now in force
    1 warmed          the stock was created
    2 defined         the stock existed and its counters did not change
    3 superseded      a newer version is in force: nothing changed
   10 unknown-sale    the stock is missing and was not to be created; nothing more

  Variants divide the units of the sale: each has counters of its own beside those of the whole,
  which every script changes together with these. `variants` are their ids, separated by spaces.

  Counters belong to the running sale: only the first call sets them, so a repeated or late call
  cannot return a sold unit. Every call writes the whole definition, and only over the same or an
  older version. So calls may arrive late, twice or out of order, and the newest version applies in
  all its fields. A frozen stock keeps its packedWindow and so stays frozen: unfreeze.lua rewrites
  it.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'left', 'version', 'packedWindow')
local total, left, version, packedWindow = stored[1], stored[2], stored[3], stored[4]
if not total and ARGV[1] == '' then return {10} end
if version and tonumber(ARGV[2]) < tonumber(version) then
  return {3, tonumber(version), tonumber(total), tonumber(left)}
end

if string.sub(packedWindow or '', 32, 38) ~= '!frozen' then packedWindow = ARGV[10] end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'flag', ARGV[3], 'epoch', ARGV[4], 'startToken', ARGV[5],
  'startsAt', ARGV[6], 'endsAt', ARGV[7], 'limit', ARGV[8], 'max', ARGV[9], 'packedWindow', packedWindow)
if packedWindow ~= stored[4] then redis.call('HSET', KEYS[1], 'tag', ARGV[12]) end
if total then return {2, tonumber(ARGV[2]), tonumber(total), tonumber(left)} end
redis.call('HSET', KEYS[1], 'total', ARGV[1], 'left', ARGV[1], 'stockRevision', '0', 'change', ARGV[11])
local ids = {}
for id, units in string.gmatch(ARGV[13] or '', '([^*+]+)%*(%d+)') do
  ids[#ids + 1] = id
  redis.call('HSET', KEYS[1], 'total/' .. id, units, 'left/' .. id, units)
end
if ids[1] then redis.call('HSET', KEYS[1], 'variants', table.concat(ids, ' ')) end
return {1, tonumber(ARGV[2]), tonumber(ARGV[1]), tonumber(ARGV[1])}
