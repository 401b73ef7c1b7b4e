#!lua flags=allow-key-locking
--[[
  warm: set a sale's definition in Redis, and optionally create its stock.

  KEYS[1] stock:{<sale>:0}    hash   total, booked, stockRevision, change; version; the other fields of
                                     the definition; variants; of each variant total:<id>, booked:<id>
  ARGV[1] total               units; used only if the stock is missing. Empty: a missing stock stays
                              missing
  ARGV[2] version             of the definition that follows
  ARGV[3] definition          fields and values as JSON (stock-definition.ts)
  ARGV[4] last change         number of the last stock change that total includes, 0 for none
  ARGV[5] variants            [{"id", "units"}], which add up to total; [] for a sale without variants

  Reply {code, version, total, booked}    the version and the counters afterwards
    1 warmed          the stock was created
    2 defined         the stock existed and its counters did not change
    3 superseded      Redis has a newer version: nothing changed
   10 unknown-sale    the stock is missing, and ARGV[1] is empty; nothing more

  Variants divide the units of the sale. Each has its own counters, which every script changes together with
  those of the whole sale. `variants` are their ids as JSON.

  Only the first call sets the counters, so a repeated or late call cannot return a sold unit. Every call writes
  the whole definition, but only over the same or an older version. So calls may arrive late, twice or out of
  order, and the newest version wins. A frozen stock stays frozen.
]]
local stored = redis.call('HMGET', KEYS[1], 'total', 'booked', 'version')
local total, booked, version = stored[1], tonumber(stored[2]), tonumber(stored[3])
if not total and ARGV[1] == '' then return {10} end
if version and tonumber(ARGV[2]) < version then return {3, version, total, booked} end

local fields = {}
local function set(field, value)
  fields[#fields + 1] = field
  fields[#fields + 1] = value
end
for field, value in pairs(cjson.decode(ARGV[3])) do set(field, value) end
if not total then
  for field, value in pairs({total = ARGV[1], booked = '0', stockRevision = '0', change = ARGV[4]}) do set(field, value) end
  local ids = {}
  for at, variant in ipairs(cjson.decode(ARGV[5])) do
    ids[at] = variant.id
    set('total:' .. variant.id, variant.units)
    set('booked:' .. variant.id, 0)
  end
  if ids[1] then set('variants', cjson.encode(ids)) end
end
redis.call('HSET', KEYS[1], unpack(fields))
if total then return {2, tonumber(ARGV[2]), total, booked} end
return {1, tonumber(ARGV[2]), ARGV[1], 0}
