#!lua flags=allow-key-locking
--[[
  wish: note that a shopper wants more units than a shard of a split stock has left.

  KEYS[1] stock:{<sale>:0}    hash   wish, wishes, scarce
  ARGV[1] quantity            units that are wanted
  ARGV[2] since               epoch ms; what was found before then is out of date
  ARGV[3] variant             that they are of; empty in a sale without variants

  Reply {code, left}
    1 noted     units may come from other shards; no left
    2 scarce    all shards together had only `left` units, less than are wanted; in a sale with variants
                then what they had of the variant, if that was too little: nothing noted

  `wish` is {"units", "count", "variant"} until the balancer has served it. The last wish is enough, because
  shoppers who still want units ask again; `wishes` counts them. `scarce` is {"left", "at", "variants"},
  written by the balancer when it has looked at all shards (wishes.ts): `variants` are the units of those of
  which no shard has enough.
]]
local quantity, variant = tonumber(ARGV[1]), ARGV[3]
local scarce = cjson.decode(redis.call('HGET', KEYS[1], 'scarce') or '{"at":0}')
if scarce.at >= tonumber(ARGV[2]) then
  local leftOf = scarce.variants and scarce.variants[variant]
  if leftOf and leftOf < quantity then return {2, scarce.left, leftOf} end
  if variant == '' and scarce.left < quantity then return {2, scarce.left} end
end
local count = redis.call('HINCRBY', KEYS[1], 'wishes', 1)
redis.call('HSET', KEYS[1], 'wish', cjson.encode({units = quantity, count = count, variant = variant ~= '' and variant or nil}))
return {1}
