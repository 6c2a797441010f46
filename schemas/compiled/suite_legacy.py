"""Generated from schemas/suite-legacy.schema.json by scripts/generate.py with fastjsonschema: do not edit."""


class Invalid(Exception):
    """The data does not fit the schema."""


NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['meta', 'region_meta', 'predictions', 'items']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'meta' in data_keys:
            data_keys.remove('meta')
            data__meta = data['meta']
            if not isinstance(data__meta, dict):
                raise Invalid
            data__meta_is_dict = isinstance(data__meta, dict)
            if data__meta_is_dict:
                data__meta__missing_keys = set(['name', 'metric']) - data__meta.keys()
                if data__meta__missing_keys:
                    raise Invalid
                data__meta_keys = set(data__meta.keys())
                if 'name' in data__meta_keys:
                    data__meta_keys.remove('name')
                    data__meta__name = data__meta['name']
                    if not isinstance(data__meta__name, str):
                        raise Invalid
                if 'author' in data__meta_keys:
                    data__meta_keys.remove('author')
                    data__meta__author = data__meta['author']
                    if not isinstance(data__meta__author, str):
                        raise Invalid
                if 'reference' in data__meta_keys:
                    data__meta_keys.remove('reference')
                    data__meta__reference = data__meta['reference']
                    if not isinstance(data__meta__reference, str):
                        raise Invalid
                if 'no_space_before' in data__meta_keys:
                    data__meta_keys.remove('no_space_before')
                    data__meta__nospacebefore = data__meta['no_space_before']
                    validate_no_space_before(data__meta__nospacebefore)
                if 'metric' in data__meta_keys:
                    data__meta_keys.remove('metric')
                    data__meta__metric = data__meta['metric']
                    data__meta__metric_any_of_count1 = 0
                    if not data__meta__metric_any_of_count1:
                        try:
                            validate_metric(data__meta__metric)
                            data__meta__metric_any_of_count1 += 1
                        except (Invalid,):
                            pass
                    if not data__meta__metric_any_of_count1:
                        try:
                            if not (isinstance(data__meta__metric, str) and data__meta__metric == 'all'):
                                raise Invalid
                            data__meta__metric_any_of_count1 += 1
                        except (Invalid,):
                            pass
                    if not data__meta__metric_any_of_count1:
                        try:
                            if not isinstance(data__meta__metric, (list, tuple)):
                                raise Invalid
                            data__meta__metric_is_list = isinstance(data__meta__metric, (list, tuple))
                            if data__meta__metric_is_list:
                                data__meta__metric_len = len(data__meta__metric)
                                if data__meta__metric_len < 1:
                                    raise Invalid

                                def fn(var):
                                    return frozenset(dict(((k, fn(v)) for k, v in var.items())).items()) if hasattr(var, 'items') else tuple((fn(v) for v in var)) if isinstance(var, (dict, list)) else (bool, var) if isinstance(var, bool) else var
                                if data__meta__metric_len > len(set((fn(data__meta__metric_x) for data__meta__metric_x in data__meta__metric))):
                                    raise Invalid
                                for data__meta__metric_x, data__meta__metric_item in enumerate(data__meta__metric):
                                    validate_metric(data__meta__metric_item)
                            data__meta__metric_any_of_count1 += 1
                        except (Invalid,):
                            pass
                    if not data__meta__metric_any_of_count1:
                        raise Invalid
        if 'region_meta' in data_keys:
            data_keys.remove('region_meta')
            data__regionmeta = data['region_meta']
            validate_region_meta(data__regionmeta)
        if 'predictions' in data_keys:
            data_keys.remove('predictions')
            data__predictions = data['predictions']
            if not isinstance(data__predictions, (list, tuple)):
                raise Invalid
            data__predictions_is_list = isinstance(data__predictions, (list, tuple))
            if data__predictions_is_list:
                data__predictions_len = len(data__predictions)
                for data__predictions_x, data__predictions_item in enumerate(data__predictions):
                    if not isinstance(data__predictions_item, dict):
                        raise Invalid
                    data__predictions_item_is_dict = isinstance(data__predictions_item, dict)
                    if data__predictions_item_is_dict:
                        data__predictions_item__missing_keys = set(['region_number', 'l_operand', 'relation', 'r_operand']) - data__predictions_item.keys()
                        if data__predictions_item__missing_keys:
                            raise Invalid
                        data__predictions_item_keys = set(data__predictions_item.keys())
                        if 'region_number' in data__predictions_item_keys:
                            data__predictions_item_keys.remove('region_number')
                            data__predictions_item__regionnumber = data__predictions_item['region_number']
                            if not isinstance(data__predictions_item__regionnumber, int) and (not (isinstance(data__predictions_item__regionnumber, float) and data__predictions_item__regionnumber.is_integer())) or isinstance(data__predictions_item__regionnumber, bool):
                                raise Invalid
                        if 'l_operand' in data__predictions_item_keys:
                            data__predictions_item_keys.remove('l_operand')
                            data__predictions_item__loperand = data__predictions_item['l_operand']
                            if not isinstance(data__predictions_item__loperand, str):
                                raise Invalid
                        if 'relation' in data__predictions_item_keys:
                            data__predictions_item_keys.remove('relation')
                            data__predictions_item__relation = data__predictions_item['relation']
                            if not (isinstance(data__predictions_item__relation, str) and data__predictions_item__relation == 'lessthan' or (isinstance(data__predictions_item__relation, str) and data__predictions_item__relation == 'equals') or (isinstance(data__predictions_item__relation, str) and data__predictions_item__relation == 'greaterthan')):
                                raise Invalid
                        if 'r_operand' in data__predictions_item_keys:
                            data__predictions_item_keys.remove('r_operand')
                            data__predictions_item__roperand = data__predictions_item['r_operand']
                            if not isinstance(data__predictions_item__roperand, str):
                                raise Invalid
        if 'items' in data_keys:
            data_keys.remove('items')
            data__items = data['items']
            validate_items(data__items)
    return data

def validate_items(data):
    if not isinstance(data, (list, tuple)):
        raise Invalid
    data_is_list = isinstance(data, (list, tuple))
    if data_is_list:
        data_len = len(data)
        for data_x, data_item in enumerate(data):
            if not isinstance(data_item, dict):
                raise Invalid
            data_item_is_dict = isinstance(data_item, dict)
            if data_item_is_dict:
                data_item__missing_keys = set(['item_number', 'conditions']) - data_item.keys()
                if data_item__missing_keys:
                    raise Invalid
                data_item_keys = set(data_item.keys())
                if 'item_number' in data_item_keys:
                    data_item_keys.remove('item_number')
                    data_item__itemnumber = data_item['item_number']
                    if not isinstance(data_item__itemnumber, int) and (not (isinstance(data_item__itemnumber, float) and data_item__itemnumber.is_integer())) or isinstance(data_item__itemnumber, bool):
                        raise Invalid
                if 'conditions' in data_item_keys:
                    data_item_keys.remove('conditions')
                    data_item__conditions = data_item['conditions']
                    if not isinstance(data_item__conditions, (list, tuple)):
                        raise Invalid
                    data_item__conditions_is_list = isinstance(data_item__conditions, (list, tuple))
                    if data_item__conditions_is_list:
                        data_item__conditions_len = len(data_item__conditions)
                        for data_item__conditions_x, data_item__conditions_item in enumerate(data_item__conditions):
                            validate_condition(data_item__conditions_item)
    return data

def validate_condition(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['condition_name', 'regions']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'condition_name' in data_keys:
            data_keys.remove('condition_name')
            data__conditionname = data['condition_name']
            if not isinstance(data__conditionname, str):
                raise Invalid
        if 'regions' in data_keys:
            data_keys.remove('regions')
            data__regions = data['regions']
            if not isinstance(data__regions, (list, tuple)):
                raise Invalid
            data__regions_is_list = isinstance(data__regions, (list, tuple))
            if data__regions_is_list:
                data__regions_len = len(data__regions)
                for data__regions_x, data__regions_item in enumerate(data__regions):
                    validate_region(data__regions_item)
    return data

def validate_region(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['region_number', 'content']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'region_number' in data_keys:
            data_keys.remove('region_number')
            data__regionnumber = data['region_number']
            if not isinstance(data__regionnumber, int) and (not (isinstance(data__regionnumber, float) and data__regionnumber.is_integer())) or isinstance(data__regionnumber, bool):
                raise Invalid
        if 'content' in data_keys:
            data_keys.remove('content')
            data__content = data['content']
            if not isinstance(data__content, str):
                raise Invalid
    return data

def validate_region_meta(data):
    if not isinstance(data, dict):
        raise Invalid
    return data

def validate_metric(data):
    if not (isinstance(data, str) and data == 'sum' or (isinstance(data, str) and data == 'mean') or (isinstance(data, str) and data == 'median') or (isinstance(data, str) and data == 'range') or (isinstance(data, str) and data == 'max') or (isinstance(data, str) and data == 'min')):
        raise Invalid
    return data

def validate_no_space_before(data):
    data_any_of_count2 = 0
    if not data_any_of_count2:
        try:
            if not (isinstance(data, str) and data == 'all'):
                raise Invalid
            data_any_of_count2 += 1
        except (Invalid,):
            pass
    if not data_any_of_count2:
        try:
            if not isinstance(data, (list, tuple)):
                raise Invalid
            data_is_list = isinstance(data, (list, tuple))
            if data_is_list:

                def fn(var):
                    return frozenset(dict(((k, fn(v)) for k, v in var.items())).items()) if hasattr(var, 'items') else tuple((fn(v) for v in var)) if isinstance(var, (dict, list)) else (bool, var) if isinstance(var, bool) else var
                data_len = len(data)
                if data_len > len(set((fn(data_x) for data_x in data))):
                    raise Invalid
                for data_x, data_item in enumerate(data):
                    if not isinstance(data_item, int) and (not (isinstance(data_item, float) and data_item.is_integer())) or isinstance(data_item, bool):
                        raise Invalid
            data_any_of_count2 += 1
        except (Invalid,):
            pass
    if not data_any_of_count2:
        raise Invalid
    return data
