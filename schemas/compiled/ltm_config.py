"""Generated from schemas/ltm-config.schema.json by scripts/generate.py with fastjsonschema: do not edit."""


class Invalid(Exception):
    """The data does not fit the schema."""


NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['config', 'datasets']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'config' in data_keys:
            data_keys.remove('config')
            data__config = data['config']
            if not isinstance(data__config, dict):
                raise Invalid
            data__config_is_dict = isinstance(data__config, dict)
            if data__config_is_dict:
                data__config__missing_keys = set(['run_name']) - data__config.keys()
                if data__config__missing_keys:
                    raise Invalid
                data__config_keys = set(data__config.keys())
                if 'run_name' in data__config_keys:
                    data__config_keys.remove('run_name')
                    data__config__runname = data__config['run_name']
                    if not isinstance(data__config__runname, str):
                        raise Invalid
                    if isinstance(data__config__runname, str):
                        data__config__runname_len = len(data__config__runname)
                        if data__config__runname_len < 1:
                            raise Invalid
                if 'debug' in data__config_keys:
                    data__config_keys.remove('debug')
                    data__config__debug = data__config['debug']
                    if not isinstance(data__config__debug, bool):
                        raise Invalid
                if 'isolated' in data__config_keys:
                    data__config_keys.remove('isolated')
                    data__config__isolated = data__config['isolated']
                    if not isinstance(data__config__isolated, bool):
                        raise Invalid
                if 'incompatibilities' in data__config_keys:
                    data__config_keys.remove('incompatibilities')
                    data__config__incompatibilities = data__config['incompatibilities']
                    if not isinstance(data__config__incompatibilities, (list, tuple)):
                        raise Invalid
                    data__config__incompatibilities_is_list = isinstance(data__config__incompatibilities, (list, tuple))
                    if data__config__incompatibilities_is_list:
                        data__config__incompatibilities_len = len(data__config__incompatibilities)
                        for data__config__incompatibilities_x, data__config__incompatibilities_item in enumerate(data__config__incompatibilities):
                            if not isinstance(data__config__incompatibilities_item, (list, tuple)):
                                raise Invalid
                            data__config__incompatibilities_item_is_list = isinstance(data__config__incompatibilities_item, (list, tuple))
                            if data__config__incompatibilities_item_is_list:
                                data__config__incompatibilities_item_len = len(data__config__incompatibilities_item)
                                if data__config__incompatibilities_item_len < 2:
                                    raise Invalid

                                def fn(var):
                                    return frozenset(dict(((k, fn(v)) for k, v in var.items())).items()) if hasattr(var, 'items') else tuple((fn(v) for v in var)) if isinstance(var, (dict, list)) else (bool, var) if isinstance(var, bool) else var
                                if data__config__incompatibilities_item_len > len(set((fn(data__config__incompatibilities_item_x) for data__config__incompatibilities_item_x in data__config__incompatibilities_item))):
                                    raise Invalid
                                for data__config__incompatibilities_item_x, data__config__incompatibilities_item_item in enumerate(data__config__incompatibilities_item):
                                    validate_dataset_name(data__config__incompatibilities_item_item)
                if data__config_keys:
                    raise Invalid
        if 'datasets' in data_keys:
            data_keys.remove('datasets')
            data__datasets = data['datasets']
            if not isinstance(data__datasets, dict):
                raise Invalid
            data__datasets_is_dict = isinstance(data__datasets, dict)
            if data__datasets_is_dict:
                data__datasets__missing_keys = set(['args', 'datasets']) - data__datasets.keys()
                if data__datasets__missing_keys:
                    raise Invalid
                data__datasets_keys = set(data__datasets.keys())
                if 'args' in data__datasets_keys:
                    data__datasets_keys.remove('args')
                    data__datasets__args = data__datasets['args']
                    if not isinstance(data__datasets__args, dict):
                        raise Invalid
                    data__datasets__args_is_dict = isinstance(data__datasets__args, dict)
                    if data__datasets__args_is_dict:
                        data__datasets__args__missing_keys = set(['dataset_examples']) - data__datasets__args.keys()
                        if data__datasets__args__missing_keys:
                            raise Invalid
                        data__datasets__args_keys = set(data__datasets__args.keys())
                        if 'dataset_examples' in data__datasets__args_keys:
                            data__datasets__args_keys.remove('dataset_examples')
                            data__datasets__args__datasetexamples = data__datasets__args['dataset_examples']
                            if not isinstance(data__datasets__args__datasetexamples, int) and (not (isinstance(data__datasets__args__datasetexamples, float) and data__datasets__args__datasetexamples.is_integer())) or isinstance(data__datasets__args__datasetexamples, bool):
                                raise Invalid
                            if isinstance(data__datasets__args__datasetexamples, (int, float)) and (not isinstance(data__datasets__args__datasetexamples, bool)):
                                if data__datasets__args__datasetexamples < 1:
                                    raise Invalid
                        if 'memory_span' in data__datasets__args_keys:
                            data__datasets__args_keys.remove('memory_span')
                            data__datasets__args__memoryspan = data__datasets__args['memory_span']
                            if not isinstance(data__datasets__args__memoryspan, int) and (not (isinstance(data__datasets__args__memoryspan, float) and data__datasets__args__memoryspan.is_integer())) or isinstance(data__datasets__args__memoryspan, bool):
                                raise Invalid
                            if isinstance(data__datasets__args__memoryspan, (int, float)) and (not isinstance(data__datasets__args__memoryspan, bool)):
                                if data__datasets__args__memoryspan < 1:
                                    raise Invalid
                        if 'filler_tokens' in data__datasets__args_keys:
                            data__datasets__args_keys.remove('filler_tokens')
                            data__datasets__args__fillertokens = data__datasets__args['filler_tokens']
                            if not isinstance(data__datasets__args__fillertokens, int) and (not (isinstance(data__datasets__args__fillertokens, float) and data__datasets__args__fillertokens.is_integer())) or isinstance(data__datasets__args__fillertokens, bool):
                                raise Invalid
                            if isinstance(data__datasets__args__fillertokens, (int, float)) and (not isinstance(data__datasets__args__fillertokens, bool)):
                                if data__datasets__args__fillertokens < 0:
                                    raise Invalid
                        if 'filler_tokens_low' in data__datasets__args_keys:
                            data__datasets__args_keys.remove('filler_tokens_low')
                            data__datasets__args__fillertokenslow = data__datasets__args['filler_tokens_low']
                            if not isinstance(data__datasets__args__fillertokenslow, int) and (not (isinstance(data__datasets__args__fillertokenslow, float) and data__datasets__args__fillertokenslow.is_integer())) or isinstance(data__datasets__args__fillertokenslow, bool):
                                raise Invalid
                            if isinstance(data__datasets__args__fillertokenslow, (int, float)) and (not isinstance(data__datasets__args__fillertokenslow, bool)):
                                if data__datasets__args__fillertokenslow < 0:
                                    raise Invalid
                        if 'filler_tokens_high' in data__datasets__args_keys:
                            data__datasets__args_keys.remove('filler_tokens_high')
                            data__datasets__args__fillertokenshigh = data__datasets__args['filler_tokens_high']
                            if not isinstance(data__datasets__args__fillertokenshigh, int) and (not (isinstance(data__datasets__args__fillertokenshigh, float) and data__datasets__args__fillertokenshigh.is_integer())) or isinstance(data__datasets__args__fillertokenshigh, bool):
                                raise Invalid
                            if isinstance(data__datasets__args__fillertokenshigh, (int, float)) and (not isinstance(data__datasets__args__fillertokenshigh, bool)):
                                if data__datasets__args__fillertokenshigh < 0:
                                    raise Invalid
                        if 'pre_question_filler' in data__datasets__args_keys:
                            data__datasets__args_keys.remove('pre_question_filler')
                            data__datasets__args__prequestionfiller = data__datasets__args['pre_question_filler']
                            if not isinstance(data__datasets__args__prequestionfiller, int) and (not (isinstance(data__datasets__args__prequestionfiller, float) and data__datasets__args__prequestionfiller.is_integer())) or isinstance(data__datasets__args__prequestionfiller, bool):
                                raise Invalid
                            if isinstance(data__datasets__args__prequestionfiller, (int, float)) and (not isinstance(data__datasets__args__prequestionfiller, bool)):
                                if data__datasets__args__prequestionfiller < 0:
                                    raise Invalid
                        if 'seed' in data__datasets__args_keys:
                            data__datasets__args_keys.remove('seed')
                            data__datasets__args__seed = data__datasets__args['seed']
                            if not isinstance(data__datasets__args__seed, int) and (not (isinstance(data__datasets__args__seed, float) and data__datasets__args__seed.is_integer())) or isinstance(data__datasets__args__seed, bool):
                                raise Invalid
                    try:
                        data__datasets__args_is_dict = isinstance(data__datasets__args, dict)
                        if data__datasets__args_is_dict:
                            data__datasets__args__missing_keys = set(['memory_span']) - data__datasets__args.keys()
                            if data__datasets__args__missing_keys:
                                raise Invalid
                    except (Invalid,):
                        data__datasets__args_is_dict = isinstance(data__datasets__args, dict)
                        if data__datasets__args_is_dict:
                            data__datasets__args__missing_keys = set(['pre_question_filler']) - data__datasets__args.keys()
                            if data__datasets__args__missing_keys:
                                raise Invalid
                        try:
                            data__datasets__args_is_dict = isinstance(data__datasets__args, dict)
                            if data__datasets__args_is_dict:
                                data__datasets__args__missing_keys = set(['filler_tokens']) - data__datasets__args.keys()
                                if data__datasets__args__missing_keys:
                                    raise Invalid
                        except (Invalid,):
                            data__datasets__args_is_dict = isinstance(data__datasets__args, dict)
                            if data__datasets__args_is_dict:
                                data__datasets__args__missing_keys = set(['filler_tokens_low', 'filler_tokens_high']) - data__datasets__args.keys()
                                if data__datasets__args__missing_keys:
                                    raise Invalid
                                data__datasets__args_len = len(data__datasets__args)
                                if data__datasets__args_len != 0:
                                    data__datasets__args_property_names = True
                                    for data__datasets__args_key in data__datasets__args:
                                        try:
                                            if not (isinstance(data__datasets__args_key, str) and data__datasets__args_key == 'dataset_examples' or (isinstance(data__datasets__args_key, str) and data__datasets__args_key == 'filler_tokens_low') or (isinstance(data__datasets__args_key, str) and data__datasets__args_key == 'filler_tokens_high') or (isinstance(data__datasets__args_key, str) and data__datasets__args_key == 'pre_question_filler') or (isinstance(data__datasets__args_key, str) and data__datasets__args_key == 'seed')):
                                                raise Invalid
                                        except (Invalid,):
                                            data__datasets__args_property_names = False
                                    if not data__datasets__args_property_names:
                                        raise Invalid
                        else:
                            data__datasets__args_is_dict = isinstance(data__datasets__args, dict)
                            if data__datasets__args_is_dict:
                                data__datasets__args_len = len(data__datasets__args)
                                if data__datasets__args_len != 0:
                                    data__datasets__args_property_names = True
                                    for data__datasets__args_key in data__datasets__args:
                                        try:
                                            if not (isinstance(data__datasets__args_key, str) and data__datasets__args_key == 'dataset_examples' or (isinstance(data__datasets__args_key, str) and data__datasets__args_key == 'filler_tokens') or (isinstance(data__datasets__args_key, str) and data__datasets__args_key == 'pre_question_filler') or (isinstance(data__datasets__args_key, str) and data__datasets__args_key == 'seed')):
                                                raise Invalid
                                        except (Invalid,):
                                            data__datasets__args_property_names = False
                                    if not data__datasets__args_property_names:
                                        raise Invalid
                    else:
                        data__datasets__args_is_dict = isinstance(data__datasets__args, dict)
                        if data__datasets__args_is_dict:
                            data__datasets__args_len = len(data__datasets__args)
                            if data__datasets__args_len != 0:
                                data__datasets__args_property_names = True
                                for data__datasets__args_key in data__datasets__args:
                                    try:
                                        if not (isinstance(data__datasets__args_key, str) and data__datasets__args_key == 'dataset_examples' or (isinstance(data__datasets__args_key, str) and data__datasets__args_key == 'memory_span') or (isinstance(data__datasets__args_key, str) and data__datasets__args_key == 'seed')):
                                            raise Invalid
                                    except (Invalid,):
                                        data__datasets__args_property_names = False
                                if not data__datasets__args_property_names:
                                    raise Invalid
                if 'datasets' in data__datasets_keys:
                    data__datasets_keys.remove('datasets')
                    data__datasets__datasets = data__datasets['datasets']
                    if not isinstance(data__datasets__datasets, (list, tuple)):
                        raise Invalid
                    data__datasets__datasets_is_list = isinstance(data__datasets__datasets, (list, tuple))
                    if data__datasets__datasets_is_list:
                        data__datasets__datasets_len = len(data__datasets__datasets)
                        if data__datasets__datasets_len < 1:
                            raise Invalid
                        for data__datasets__datasets_x, data__datasets__datasets_item in enumerate(data__datasets__datasets):
                            if not isinstance(data__datasets__datasets_item, dict):
                                raise Invalid
                            try:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item__missing_keys = set(['name']) - data__datasets__datasets_item.keys()
                                    if data__datasets__datasets_item__missing_keys:
                                        raise Invalid
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'name' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('name')
                                        data__datasets__datasets_item__name = data__datasets__datasets_item['name']
                                        if not (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'names'):
                                            raise Invalid
                            except (Invalid,):
                                pass
                            else:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'args' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('args')
                                        data__datasets__datasets_item__args = data__datasets__datasets_item['args']
                                        data__datasets__datasets_item__args_is_dict = isinstance(data__datasets__datasets_item__args, dict)
                                        if data__datasets__datasets_item__args_is_dict:
                                            data__datasets__datasets_item__args_keys = set(data__datasets__datasets_item__args.keys())
                                            if 'name_changes' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('name_changes')
                                                data__datasets__datasets_item__args__namechanges = data__datasets__datasets_item__args['name_changes']
                                                if not isinstance(data__datasets__datasets_item__args__namechanges, int) and (not (isinstance(data__datasets__datasets_item__args__namechanges, float) and data__datasets__datasets_item__args__namechanges.is_integer())) or isinstance(data__datasets__datasets_item__args__namechanges, bool):
                                                    raise Invalid
                                                if isinstance(data__datasets__datasets_item__args__namechanges, (int, float)) and (not isinstance(data__datasets__datasets_item__args__namechanges, bool)):
                                                    if data__datasets__datasets_item__args__namechanges < 1:
                                                        raise Invalid
                                            data__datasets__datasets_item__args_len = len(data__datasets__datasets_item__args)
                                            if data__datasets__datasets_item__args_len != 0:
                                                data__datasets__datasets_item__args_property_names = True
                                                for data__datasets__datasets_item__args_key in data__datasets__datasets_item__args:
                                                    try:
                                                        if not (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'dataset_examples' or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'memory_span') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'seed') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'max_message_size') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'name_changes')):
                                                            raise Invalid
                                                    except (Invalid,):
                                                        data__datasets__datasets_item__args_property_names = False
                                                if not data__datasets__datasets_item__args_property_names:
                                                    raise Invalid
                            try:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item__missing_keys = set(['name']) - data__datasets__datasets_item.keys()
                                    if data__datasets__datasets_item__missing_keys:
                                        raise Invalid
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'name' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('name')
                                        data__datasets__datasets_item__name = data__datasets__datasets_item['name']
                                        if not (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'colours'):
                                            raise Invalid
                            except (Invalid,):
                                pass
                            else:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'args' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('args')
                                        data__datasets__datasets_item__args = data__datasets__datasets_item['args']
                                        data__datasets__datasets_item__args_is_dict = isinstance(data__datasets__datasets_item__args, dict)
                                        if data__datasets__datasets_item__args_is_dict:
                                            data__datasets__datasets_item__args_keys = set(data__datasets__datasets_item__args.keys())
                                            if 'colour_changes' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('colour_changes')
                                                data__datasets__datasets_item__args__colourchanges = data__datasets__datasets_item__args['colour_changes']
                                                if not isinstance(data__datasets__datasets_item__args__colourchanges, int) and (not (isinstance(data__datasets__datasets_item__args__colourchanges, float) and data__datasets__datasets_item__args__colourchanges.is_integer())) or isinstance(data__datasets__datasets_item__args__colourchanges, bool):
                                                    raise Invalid
                                                if isinstance(data__datasets__datasets_item__args__colourchanges, (int, float)) and (not isinstance(data__datasets__datasets_item__args__colourchanges, bool)):
                                                    if data__datasets__datasets_item__args__colourchanges < 1:
                                                        raise Invalid
                                            data__datasets__datasets_item__args_len = len(data__datasets__datasets_item__args)
                                            if data__datasets__datasets_item__args_len != 0:
                                                data__datasets__datasets_item__args_property_names = True
                                                for data__datasets__datasets_item__args_key in data__datasets__datasets_item__args:
                                                    try:
                                                        if not (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'dataset_examples' or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'memory_span') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'seed') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'max_message_size') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'colour_changes')):
                                                            raise Invalid
                                                    except (Invalid,):
                                                        data__datasets__datasets_item__args_property_names = False
                                                if not data__datasets__datasets_item__args_property_names:
                                                    raise Invalid
                            try:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item__missing_keys = set(['name']) - data__datasets__datasets_item.keys()
                                    if data__datasets__datasets_item__missing_keys:
                                        raise Invalid
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'name' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('name')
                                        data__datasets__datasets_item__name = data__datasets__datasets_item['name']
                                        if not (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'shopping'):
                                            raise Invalid
                            except (Invalid,):
                                pass
                            else:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'args' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('args')
                                        data__datasets__datasets_item__args = data__datasets__datasets_item['args']
                                        data__datasets__datasets_item__args_is_dict = isinstance(data__datasets__datasets_item__args, dict)
                                        if data__datasets__datasets_item__args_is_dict:
                                            data__datasets__datasets_item__args_keys = set(data__datasets__datasets_item__args.keys())
                                            if 'item_changes' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('item_changes')
                                                data__datasets__datasets_item__args__itemchanges = data__datasets__datasets_item__args['item_changes']
                                                if not isinstance(data__datasets__datasets_item__args__itemchanges, int) and (not (isinstance(data__datasets__datasets_item__args__itemchanges, float) and data__datasets__datasets_item__args__itemchanges.is_integer())) or isinstance(data__datasets__datasets_item__args__itemchanges, bool):
                                                    raise Invalid
                                                if isinstance(data__datasets__datasets_item__args__itemchanges, (int, float)) and (not isinstance(data__datasets__datasets_item__args__itemchanges, bool)):
                                                    if data__datasets__datasets_item__args__itemchanges < 1:
                                                        raise Invalid
                                            data__datasets__datasets_item__args_len = len(data__datasets__datasets_item__args)
                                            if data__datasets__datasets_item__args_len != 0:
                                                data__datasets__datasets_item__args_property_names = True
                                                for data__datasets__datasets_item__args_key in data__datasets__datasets_item__args:
                                                    try:
                                                        if not (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'dataset_examples' or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'memory_span') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'seed') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'max_message_size') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'item_changes')):
                                                            raise Invalid
                                                    except (Invalid,):
                                                        data__datasets__datasets_item__args_property_names = False
                                                if not data__datasets__datasets_item__args_property_names:
                                                    raise Invalid
                            try:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item__missing_keys = set(['name']) - data__datasets__datasets_item.keys()
                                    if data__datasets__datasets_item__missing_keys:
                                        raise Invalid
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'name' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('name')
                                        data__datasets__datasets_item__name = data__datasets__datasets_item['name']
                                        if not (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'locations'):
                                            raise Invalid
                            except (Invalid,):
                                pass
                            else:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'args' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('args')
                                        data__datasets__datasets_item__args = data__datasets__datasets_item['args']
                                        data__datasets__datasets_item__args_is_dict = isinstance(data__datasets__datasets_item__args, dict)
                                        if data__datasets__datasets_item__args_is_dict:
                                            data__datasets__datasets_item__args_keys = set(data__datasets__datasets_item__args.keys())
                                            if 'known_locations' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('known_locations')
                                                data__datasets__datasets_item__args__knownlocations = data__datasets__datasets_item__args['known_locations']
                                                if not isinstance(data__datasets__datasets_item__args__knownlocations, int) and (not (isinstance(data__datasets__datasets_item__args__knownlocations, float) and data__datasets__datasets_item__args__knownlocations.is_integer())) or isinstance(data__datasets__datasets_item__args__knownlocations, bool):
                                                    raise Invalid
                                                if isinstance(data__datasets__datasets_item__args__knownlocations, (int, float)) and (not isinstance(data__datasets__datasets_item__args__knownlocations, bool)):
                                                    if data__datasets__datasets_item__args__knownlocations < 2:
                                                        raise Invalid
                                                    if data__datasets__datasets_item__args__knownlocations > 9:
                                                        raise Invalid
                                            data__datasets__datasets_item__args_len = len(data__datasets__datasets_item__args)
                                            if data__datasets__datasets_item__args_len != 0:
                                                data__datasets__datasets_item__args_property_names = True
                                                for data__datasets__datasets_item__args_key in data__datasets__datasets_item__args:
                                                    try:
                                                        if not (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'dataset_examples' or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'memory_span') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'seed') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'max_message_size') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'known_locations')):
                                                            raise Invalid
                                                    except (Invalid,):
                                                        data__datasets__datasets_item__args_property_names = False
                                                if not data__datasets__datasets_item__args_property_names:
                                                    raise Invalid
                            try:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item__missing_keys = set(['name']) - data__datasets__datasets_item.keys()
                                    if data__datasets__datasets_item__missing_keys:
                                        raise Invalid
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'name' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('name')
                                        data__datasets__datasets_item__name = data__datasets__datasets_item['name']
                                        if not (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'locations_directions'):
                                            raise Invalid
                            except (Invalid,):
                                pass
                            else:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'args' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('args')
                                        data__datasets__datasets_item__args = data__datasets__datasets_item['args']
                                        data__datasets__datasets_item__args_is_dict = isinstance(data__datasets__datasets_item__args, dict)
                                        if data__datasets__datasets_item__args_is_dict:
                                            data__datasets__datasets_item__args_keys = set(data__datasets__datasets_item__args.keys())
                                            if 'known_locations' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('known_locations')
                                                data__datasets__datasets_item__args__knownlocations = data__datasets__datasets_item__args['known_locations']
                                                if not isinstance(data__datasets__datasets_item__args__knownlocations, int) and (not (isinstance(data__datasets__datasets_item__args__knownlocations, float) and data__datasets__datasets_item__args__knownlocations.is_integer())) or isinstance(data__datasets__datasets_item__args__knownlocations, bool):
                                                    raise Invalid
                                                if isinstance(data__datasets__datasets_item__args__knownlocations, (int, float)) and (not isinstance(data__datasets__datasets_item__args__knownlocations, bool)):
                                                    if data__datasets__datasets_item__args__knownlocations < 2:
                                                        raise Invalid
                                                    if data__datasets__datasets_item__args__knownlocations > 9:
                                                        raise Invalid
                                            data__datasets__datasets_item__args_len = len(data__datasets__datasets_item__args)
                                            if data__datasets__datasets_item__args_len != 0:
                                                data__datasets__datasets_item__args_property_names = True
                                                for data__datasets__datasets_item__args_key in data__datasets__datasets_item__args:
                                                    try:
                                                        if not (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'dataset_examples' or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'memory_span') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'seed') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'max_message_size') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'known_locations')):
                                                            raise Invalid
                                                    except (Invalid,):
                                                        data__datasets__datasets_item__args_property_names = False
                                                if not data__datasets__datasets_item__args_property_names:
                                                    raise Invalid
                            try:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item__missing_keys = set(['name']) - data__datasets__datasets_item.keys()
                                    if data__datasets__datasets_item__missing_keys:
                                        raise Invalid
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'name' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('name')
                                        data__datasets__datasets_item__name = data__datasets__datasets_item['name']
                                        if not (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'sallyanne'):
                                            raise Invalid
                            except (Invalid,):
                                pass
                            else:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'args' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('args')
                                        data__datasets__datasets_item__args = data__datasets__datasets_item['args']
                                        data__datasets__datasets_item__args_is_dict = isinstance(data__datasets__datasets_item__args, dict)
                                        if data__datasets__datasets_item__args_is_dict:
                                            data__datasets__datasets_item__args_keys = set(data__datasets__datasets_item__args.keys())
                                            if 'question_type' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('question_type')
                                                data__datasets__datasets_item__args__questiontype = data__datasets__datasets_item__args['question_type']
                                                if not (isinstance(data__datasets__datasets_item__args__questiontype, str) and data__datasets__datasets_item__args__questiontype == 'any' or (isinstance(data__datasets__datasets_item__args__questiontype, str) and data__datasets__datasets_item__args__questiontype == 'world_model') or (isinstance(data__datasets__datasets_item__args__questiontype, str) and data__datasets__datasets_item__args__questiontype == 'theory_of_mind')):
                                                    raise Invalid
                                            data__datasets__datasets_item__args_len = len(data__datasets__datasets_item__args)
                                            if data__datasets__datasets_item__args_len != 0:
                                                data__datasets__datasets_item__args_property_names = True
                                                for data__datasets__datasets_item__args_key in data__datasets__datasets_item__args:
                                                    try:
                                                        if not (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'dataset_examples' or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'memory_span') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'seed') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'max_message_size') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'question_type')):
                                                            raise Invalid
                                                    except (Invalid,):
                                                        data__datasets__datasets_item__args_property_names = False
                                                if not data__datasets__datasets_item__args_property_names:
                                                    raise Invalid
                            try:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item__missing_keys = set(['name']) - data__datasets__datasets_item.keys()
                                    if data__datasets__datasets_item__missing_keys:
                                        raise Invalid
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'name' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('name')
                                        data__datasets__datasets_item__name = data__datasets__datasets_item['name']
                                        if not (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'name_list'):
                                            raise Invalid
                            except (Invalid,):
                                pass
                            else:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'args' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('args')
                                        data__datasets__datasets_item__args = data__datasets__datasets_item['args']
                                        data__datasets__datasets_item__args_is_dict = isinstance(data__datasets__datasets_item__args, dict)
                                        if data__datasets__datasets_item__args_is_dict:
                                            data__datasets__datasets_item__args_keys = set(data__datasets__datasets_item__args.keys())
                                            if 'name_changes' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('name_changes')
                                                data__datasets__datasets_item__args__namechanges = data__datasets__datasets_item__args['name_changes']
                                                if not isinstance(data__datasets__datasets_item__args__namechanges, int) and (not (isinstance(data__datasets__datasets_item__args__namechanges, float) and data__datasets__datasets_item__args__namechanges.is_integer())) or isinstance(data__datasets__datasets_item__args__namechanges, bool):
                                                    raise Invalid
                                                if isinstance(data__datasets__datasets_item__args__namechanges, (int, float)) and (not isinstance(data__datasets__datasets_item__args__namechanges, bool)):
                                                    if data__datasets__datasets_item__args__namechanges < 1:
                                                        raise Invalid
                                            data__datasets__datasets_item__args_len = len(data__datasets__datasets_item__args)
                                            if data__datasets__datasets_item__args_len != 0:
                                                data__datasets__datasets_item__args_property_names = True
                                                for data__datasets__datasets_item__args_key in data__datasets__datasets_item__args:
                                                    try:
                                                        if not (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'dataset_examples' or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'memory_span') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'seed') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'max_message_size') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'name_changes')):
                                                            raise Invalid
                                                    except (Invalid,):
                                                        data__datasets__datasets_item__args_property_names = False
                                                if not data__datasets__datasets_item__args_property_names:
                                                    raise Invalid
                            try:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item__missing_keys = set(['name']) - data__datasets__datasets_item.keys()
                                    if data__datasets__datasets_item__missing_keys:
                                        raise Invalid
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'name' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('name')
                                        data__datasets__datasets_item__name = data__datasets__datasets_item['name']
                                        if not (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'jokes'):
                                            raise Invalid
                            except (Invalid,):
                                pass
                            else:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'args' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('args')
                                        data__datasets__datasets_item__args = data__datasets__datasets_item['args']
                                        data__datasets__datasets_item__args_is_dict = isinstance(data__datasets__datasets_item__args, dict)
                                        if data__datasets__datasets_item__args_is_dict:
                                            data__datasets__datasets_item__args_keys = set(data__datasets__datasets_item__args.keys())
                                            if 'jokes_told' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('jokes_told')
                                                data__datasets__datasets_item__args__jokestold = data__datasets__datasets_item__args['jokes_told']
                                                if not isinstance(data__datasets__datasets_item__args__jokestold, int) and (not (isinstance(data__datasets__datasets_item__args__jokestold, float) and data__datasets__datasets_item__args__jokestold.is_integer())) or isinstance(data__datasets__datasets_item__args__jokestold, bool):
                                                    raise Invalid
                                                if isinstance(data__datasets__datasets_item__args__jokestold, (int, float)) and (not isinstance(data__datasets__datasets_item__args__jokestold, bool)):
                                                    if data__datasets__datasets_item__args__jokestold < 1:
                                                        raise Invalid
                                                    if data__datasets__datasets_item__args__jokestold > 9:
                                                        raise Invalid
                                            if 'minutes_low' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('minutes_low')
                                                data__datasets__datasets_item__args__minuteslow = data__datasets__datasets_item__args['minutes_low']
                                                if not isinstance(data__datasets__datasets_item__args__minuteslow, int) and (not (isinstance(data__datasets__datasets_item__args__minuteslow, float) and data__datasets__datasets_item__args__minuteslow.is_integer())) or isinstance(data__datasets__datasets_item__args__minuteslow, bool):
                                                    raise Invalid
                                                if isinstance(data__datasets__datasets_item__args__minuteslow, (int, float)) and (not isinstance(data__datasets__datasets_item__args__minuteslow, bool)):
                                                    if data__datasets__datasets_item__args__minuteslow < 0:
                                                        raise Invalid
                                            if 'minutes_high' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('minutes_high')
                                                data__datasets__datasets_item__args__minuteshigh = data__datasets__datasets_item__args['minutes_high']
                                                if not isinstance(data__datasets__datasets_item__args__minuteshigh, int) and (not (isinstance(data__datasets__datasets_item__args__minuteshigh, float) and data__datasets__datasets_item__args__minuteshigh.is_integer())) or isinstance(data__datasets__datasets_item__args__minuteshigh, bool):
                                                    raise Invalid
                                                if isinstance(data__datasets__datasets_item__args__minuteshigh, (int, float)) and (not isinstance(data__datasets__datasets_item__args__minuteshigh, bool)):
                                                    if data__datasets__datasets_item__args__minuteshigh < 0:
                                                        raise Invalid
                                            if 'joke_prefix' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('joke_prefix')
                                                data__datasets__datasets_item__args__jokeprefix = data__datasets__datasets_item__args['joke_prefix']
                                                if not isinstance(data__datasets__datasets_item__args__jokeprefix, bool):
                                                    raise Invalid
                                            data__datasets__datasets_item__args_len = len(data__datasets__datasets_item__args)
                                            if data__datasets__datasets_item__args_len != 0:
                                                data__datasets__datasets_item__args_property_names = True
                                                for data__datasets__datasets_item__args_key in data__datasets__datasets_item__args:
                                                    try:
                                                        if not (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'dataset_examples' or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'memory_span') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'seed') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'max_message_size') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'jokes_told') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'minutes_low') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'minutes_high') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'joke_prefix')):
                                                            raise Invalid
                                                    except (Invalid,):
                                                        data__datasets__datasets_item__args_property_names = False
                                                if not data__datasets__datasets_item__args_property_names:
                                                    raise Invalid
                            try:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item__missing_keys = set(['name']) - data__datasets__datasets_item.keys()
                                    if data__datasets__datasets_item__missing_keys:
                                        raise Invalid
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'name' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('name')
                                        data__datasets__datasets_item__name = data__datasets__datasets_item['name']
                                        if not (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'kv'):
                                            raise Invalid
                            except (Invalid,):
                                pass
                            else:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'args' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('args')
                                        data__datasets__datasets_item__args = data__datasets__datasets_item['args']
                                        data__datasets__datasets_item__args_is_dict = isinstance(data__datasets__datasets_item__args, dict)
                                        if data__datasets__datasets_item__args_is_dict:
                                            data__datasets__datasets_item__args_keys = set(data__datasets__datasets_item__args.keys())
                                            if 'nested_levels' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('nested_levels')
                                                data__datasets__datasets_item__args__nestedlevels = data__datasets__datasets_item__args['nested_levels']
                                                if not isinstance(data__datasets__datasets_item__args__nestedlevels, int) and (not (isinstance(data__datasets__datasets_item__args__nestedlevels, float) and data__datasets__datasets_item__args__nestedlevels.is_integer())) or isinstance(data__datasets__datasets_item__args__nestedlevels, bool):
                                                    raise Invalid
                                                if isinstance(data__datasets__datasets_item__args__nestedlevels, (int, float)) and (not isinstance(data__datasets__datasets_item__args__nestedlevels, bool)):
                                                    if data__datasets__datasets_item__args__nestedlevels < 0:
                                                        raise Invalid
                                            if 'num_kv_pairs' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('num_kv_pairs')
                                                data__datasets__datasets_item__args__numkvpairs = data__datasets__datasets_item__args['num_kv_pairs']
                                                if not isinstance(data__datasets__datasets_item__args__numkvpairs, int) and (not (isinstance(data__datasets__datasets_item__args__numkvpairs, float) and data__datasets__datasets_item__args__numkvpairs.is_integer())) or isinstance(data__datasets__datasets_item__args__numkvpairs, bool):
                                                    raise Invalid
                                                if isinstance(data__datasets__datasets_item__args__numkvpairs, (int, float)) and (not isinstance(data__datasets__datasets_item__args__numkvpairs, bool)):
                                                    if data__datasets__datasets_item__args__numkvpairs < 1:
                                                        raise Invalid
                                            data__datasets__datasets_item__args_len = len(data__datasets__datasets_item__args)
                                            if data__datasets__datasets_item__args_len != 0:
                                                data__datasets__datasets_item__args_property_names = True
                                                for data__datasets__datasets_item__args_key in data__datasets__datasets_item__args:
                                                    try:
                                                        if not (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'dataset_examples' or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'memory_span') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'seed') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'max_message_size') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'nested_levels') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'num_kv_pairs')):
                                                            raise Invalid
                                                    except (Invalid,):
                                                        data__datasets__datasets_item__args_property_names = False
                                                if not data__datasets__datasets_item__args_property_names:
                                                    raise Invalid
                            try:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item__missing_keys = set(['name']) - data__datasets__datasets_item.keys()
                                    if data__datasets__datasets_item__missing_keys:
                                        raise Invalid
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'name' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('name')
                                        data__datasets__datasets_item__name = data__datasets__datasets_item['name']
                                        if not (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'chapterbreak'):
                                            raise Invalid
                            except (Invalid,):
                                pass
                            else:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'args' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('args')
                                        data__datasets__datasets_item__args = data__datasets__datasets_item['args']
                                        data__datasets__datasets_item__args_is_dict = isinstance(data__datasets__datasets_item__args, dict)
                                        if data__datasets__datasets_item__args_is_dict:
                                            data__datasets__datasets_item__args_keys = set(data__datasets__datasets_item__args.keys())
                                            if 'split' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('split')
                                                data__datasets__datasets_item__args__split = data__datasets__datasets_item__args['split']
                                                if not (isinstance(data__datasets__datasets_item__args__split, str) and data__datasets__datasets_item__args__split == 'goodai' or (isinstance(data__datasets__datasets_item__args__split, str) and data__datasets__datasets_item__args__split == 'pg19') or (isinstance(data__datasets__datasets_item__args__split, str) and data__datasets__datasets_item__args__split == 'ao3') or (isinstance(data__datasets__datasets_item__args__split, str) and data__datasets__datasets_item__args__split == 'all')):
                                                    raise Invalid
                                            data__datasets__datasets_item__args_len = len(data__datasets__datasets_item__args)
                                            if data__datasets__datasets_item__args_len != 0:
                                                data__datasets__datasets_item__args_property_names = True
                                                for data__datasets__datasets_item__args_key in data__datasets__datasets_item__args:
                                                    try:
                                                        if not (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'dataset_examples' or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'memory_span') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'seed') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'max_message_size') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'split')):
                                                            raise Invalid
                                                    except (Invalid,):
                                                        data__datasets__datasets_item__args_property_names = False
                                                if not data__datasets__datasets_item__args_property_names:
                                                    raise Invalid
                            try:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item__missing_keys = set(['name']) - data__datasets__datasets_item.keys()
                                    if data__datasets__datasets_item__missing_keys:
                                        raise Invalid
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'name' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('name')
                                        data__datasets__datasets_item__name = data__datasets__datasets_item['name']
                                        if not (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'trigger_response'):
                                            raise Invalid
                            except (Invalid,):
                                pass
                            else:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'args' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('args')
                                        data__datasets__datasets_item__args = data__datasets__datasets_item['args']
                                        data__datasets__datasets_item__args_is_dict = isinstance(data__datasets__datasets_item__args, dict)
                                        if data__datasets__datasets_item__args_is_dict:
                                            data__datasets__datasets_item__args_keys = set(data__datasets__datasets_item__args.keys())
                                            if 'trigger_activations' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('trigger_activations')
                                                data__datasets__datasets_item__args__triggeractivations = data__datasets__datasets_item__args['trigger_activations']
                                                if not isinstance(data__datasets__datasets_item__args__triggeractivations, int) and (not (isinstance(data__datasets__datasets_item__args__triggeractivations, float) and data__datasets__datasets_item__args__triggeractivations.is_integer())) or isinstance(data__datasets__datasets_item__args__triggeractivations, bool):
                                                    raise Invalid
                                                if isinstance(data__datasets__datasets_item__args__triggeractivations, (int, float)) and (not isinstance(data__datasets__datasets_item__args__triggeractivations, bool)):
                                                    if data__datasets__datasets_item__args__triggeractivations < 1:
                                                        raise Invalid
                                            if 'rouge_score_threshold' in data__datasets__datasets_item__args_keys:
                                                data__datasets__datasets_item__args_keys.remove('rouge_score_threshold')
                                                data__datasets__datasets_item__args__rougescorethreshold = data__datasets__datasets_item__args['rouge_score_threshold']
                                                if not isinstance(data__datasets__datasets_item__args__rougescorethreshold, (int, float)) or isinstance(data__datasets__datasets_item__args__rougescorethreshold, bool):
                                                    raise Invalid
                                                if isinstance(data__datasets__datasets_item__args__rougescorethreshold, (int, float)) and (not isinstance(data__datasets__datasets_item__args__rougescorethreshold, bool)):
                                                    if data__datasets__datasets_item__args__rougescorethreshold < 0:
                                                        raise Invalid
                                                    if data__datasets__datasets_item__args__rougescorethreshold > 1:
                                                        raise Invalid
                                            data__datasets__datasets_item__args_len = len(data__datasets__datasets_item__args)
                                            if data__datasets__datasets_item__args_len != 0:
                                                data__datasets__datasets_item__args_property_names = True
                                                for data__datasets__datasets_item__args_key in data__datasets__datasets_item__args:
                                                    try:
                                                        if not (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'dataset_examples' or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'memory_span') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'seed') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'max_message_size') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'trigger_activations') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'rouge_score_threshold')):
                                                            raise Invalid
                                                    except (Invalid,):
                                                        data__datasets__datasets_item__args_property_names = False
                                                if not data__datasets__datasets_item__args_property_names:
                                                    raise Invalid
                            try:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item__missing_keys = set(['name']) - data__datasets__datasets_item.keys()
                                    if data__datasets__datasets_item__missing_keys:
                                        raise Invalid
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'name' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('name')
                                        data__datasets__datasets_item__name = data__datasets__datasets_item['name']
                                        if not (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'delayed_recall' or (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'instruction_recall') or (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'how_to_think') or (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'prospective_memory') or (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'conflicting_personal_info') or (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'restaurant') or (isinstance(data__datasets__datasets_item__name, str) and data__datasets__datasets_item__name == 'spy_meeting')):
                                            raise Invalid
                            except (Invalid,):
                                pass
                            else:
                                data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                                if data__datasets__datasets_item_is_dict:
                                    data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                    if 'args' in data__datasets__datasets_item_keys:
                                        data__datasets__datasets_item_keys.remove('args')
                                        data__datasets__datasets_item__args = data__datasets__datasets_item['args']
                                        data__datasets__datasets_item__args_is_dict = isinstance(data__datasets__datasets_item__args, dict)
                                        if data__datasets__datasets_item__args_is_dict:
                                            data__datasets__datasets_item__args_len = len(data__datasets__datasets_item__args)
                                            if data__datasets__datasets_item__args_len != 0:
                                                data__datasets__datasets_item__args_property_names = True
                                                for data__datasets__datasets_item__args_key in data__datasets__datasets_item__args:
                                                    try:
                                                        if not (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'dataset_examples' or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'memory_span') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'seed') or (isinstance(data__datasets__datasets_item__args_key, str) and data__datasets__datasets_item__args_key == 'max_message_size')):
                                                            raise Invalid
                                                    except (Invalid,):
                                                        data__datasets__datasets_item__args_property_names = False
                                                if not data__datasets__datasets_item__args_property_names:
                                                    raise Invalid
                            data__datasets__datasets_item_is_dict = isinstance(data__datasets__datasets_item, dict)
                            if data__datasets__datasets_item_is_dict:
                                data__datasets__datasets_item__missing_keys = set(['name']) - data__datasets__datasets_item.keys()
                                if data__datasets__datasets_item__missing_keys:
                                    raise Invalid
                                data__datasets__datasets_item_keys = set(data__datasets__datasets_item.keys())
                                if 'name' in data__datasets__datasets_item_keys:
                                    data__datasets__datasets_item_keys.remove('name')
                                    data__datasets__datasets_item__name = data__datasets__datasets_item['name']
                                    validate_dataset_name(data__datasets__datasets_item__name)
                                if 'args' in data__datasets__datasets_item_keys:
                                    data__datasets__datasets_item_keys.remove('args')
                                    data__datasets__datasets_item__args = data__datasets__datasets_item['args']
                                    if not isinstance(data__datasets__datasets_item__args, dict):
                                        raise Invalid
                                    data__datasets__datasets_item__args_is_dict = isinstance(data__datasets__datasets_item__args, dict)
                                    if data__datasets__datasets_item__args_is_dict:
                                        data__datasets__datasets_item__args_keys = set(data__datasets__datasets_item__args.keys())
                                        if 'dataset_examples' in data__datasets__datasets_item__args_keys:
                                            data__datasets__datasets_item__args_keys.remove('dataset_examples')
                                            data__datasets__datasets_item__args__datasetexamples = data__datasets__datasets_item__args['dataset_examples']
                                            if not isinstance(data__datasets__datasets_item__args__datasetexamples, int) and (not (isinstance(data__datasets__datasets_item__args__datasetexamples, float) and data__datasets__datasets_item__args__datasetexamples.is_integer())) or isinstance(data__datasets__datasets_item__args__datasetexamples, bool):
                                                raise Invalid
                                            if isinstance(data__datasets__datasets_item__args__datasetexamples, (int, float)) and (not isinstance(data__datasets__datasets_item__args__datasetexamples, bool)):
                                                if data__datasets__datasets_item__args__datasetexamples < 1:
                                                    raise Invalid
                                        if 'memory_span' in data__datasets__datasets_item__args_keys:
                                            data__datasets__datasets_item__args_keys.remove('memory_span')
                                            data__datasets__datasets_item__args__memoryspan = data__datasets__datasets_item__args['memory_span']
                                            if not isinstance(data__datasets__datasets_item__args__memoryspan, int) and (not (isinstance(data__datasets__datasets_item__args__memoryspan, float) and data__datasets__datasets_item__args__memoryspan.is_integer())) or isinstance(data__datasets__datasets_item__args__memoryspan, bool):
                                                raise Invalid
                                            if isinstance(data__datasets__datasets_item__args__memoryspan, (int, float)) and (not isinstance(data__datasets__datasets_item__args__memoryspan, bool)):
                                                if data__datasets__datasets_item__args__memoryspan < 1:
                                                    raise Invalid
                                        if 'seed' in data__datasets__datasets_item__args_keys:
                                            data__datasets__datasets_item__args_keys.remove('seed')
                                            data__datasets__datasets_item__args__seed = data__datasets__datasets_item__args['seed']
                                            if not isinstance(data__datasets__datasets_item__args__seed, int) and (not (isinstance(data__datasets__datasets_item__args__seed, float) and data__datasets__datasets_item__args__seed.is_integer())) or isinstance(data__datasets__datasets_item__args__seed, bool):
                                                raise Invalid
                                        if 'max_message_size' in data__datasets__datasets_item__args_keys:
                                            data__datasets__datasets_item__args_keys.remove('max_message_size')
                                            data__datasets__datasets_item__args__maxmessagesize = data__datasets__datasets_item__args['max_message_size']
                                            if not isinstance(data__datasets__datasets_item__args__maxmessagesize, int) and (not (isinstance(data__datasets__datasets_item__args__maxmessagesize, float) and data__datasets__datasets_item__args__maxmessagesize.is_integer())) or isinstance(data__datasets__datasets_item__args__maxmessagesize, bool):
                                                raise Invalid
                                            if isinstance(data__datasets__datasets_item__args__maxmessagesize, (int, float)) and (not isinstance(data__datasets__datasets_item__args__maxmessagesize, bool)):
                                                if data__datasets__datasets_item__args__maxmessagesize < 1:
                                                    raise Invalid
                                if data__datasets__datasets_item_keys:
                                    raise Invalid
                if data__datasets_keys:
                    raise Invalid
        if data_keys:
            raise Invalid
    return data

def validate_dataset_name(data):
    if not (isinstance(data, str) and data == 'names' or (isinstance(data, str) and data == 'colours') or (isinstance(data, str) and data == 'shopping') or (isinstance(data, str) and data == 'locations') or (isinstance(data, str) and data == 'locations_directions') or (isinstance(data, str) and data == 'sallyanne') or (isinstance(data, str) and data == 'name_list') or (isinstance(data, str) and data == 'jokes') or (isinstance(data, str) and data == 'kv') or (isinstance(data, str) and data == 'chapterbreak') or (isinstance(data, str) and data == 'delayed_recall') or (isinstance(data, str) and data == 'instruction_recall') or (isinstance(data, str) and data == 'how_to_think') or (isinstance(data, str) and data == 'prospective_memory') or (isinstance(data, str) and data == 'conflicting_personal_info') or (isinstance(data, str) and data == 'trigger_response') or (isinstance(data, str) and data == 'restaurant') or (isinstance(data, str) and data == 'spy_meeting')):
        raise Invalid
    return data
